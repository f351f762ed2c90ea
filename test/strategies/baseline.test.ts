import { expect, it } from 'vitest'
import type { Documents } from '../../src/strategy.ts'
import { play } from '../../src/testing.ts'
import { type PromptTemplate, readPromptTemplate } from '../../src/text/prompt-template.ts'
import { baseline } from '../../strategies/baseline.ts'

it('baseline asks one agent once, shows the files, and runs no check', async () => {
  const { result, asks, files } = await play(baseline, {}, [['solver', 'Done.', { 'a.mjs': 'new' }]], {
    files: { 'a.mjs': 'old' },
    checks: [],
  })
  expect(result).toEqual({ answer: 'Done.', stopReason: 'done' })
  expect(asks[0]?.show.files).toContain('FILE: a.mjs\n```\nold\n```')
  expect(files).toEqual({ 'a.mjs': 'new' })
})

it('baseline answers a task without files', async () => {
  const { answer, asks } = await play(baseline, {}, [['solver', 'Answer: 42']])
  expect(answer).toBe('Answer: 42')
  expect(asks[0]?.show).toEqual({ files: '' })
})

it('baseline with turns goes over its own work in one conversation', async () => {
  const { answer, asks, files } = await play(
    baseline,
    { turns: 3 },
    [
      ['solver', 'one', { f: '1' }],
      ['solver', 'two', { f: '2' }],
      ['solver', 'three'],
    ],
    { files: { f: '0' } },
  )
  expect(answer).toBe('three')
  expect(files).toEqual({ f: '2' })
  expect(asks.map(({ options }) => options.session)).toEqual(['solver', 'solver', 'solver'])
  expect(asks.map(({ show }) => show['your last reply'])).toEqual(['', 'one', 'two'])
  expect(asks[2]?.show.files).toContain('2')
})

const template = readPromptTemplate('You are terse.\n{{files}}\n--\n{{instruction}}', 'p.md')

it('baseline with a prompt of one’s own asks with it, and the task stands where the template says', async () => {
  const { asks } = await play(baseline, { template }, [['solver', 'Done.', { f: '1' }]], {
    files: { f: '{{instruction}}' },
    instruction: 'Add {{files}}.',
  })
  expect(asks[0]?.prompt).toBe('You are terse.\nFILE: f\n```\n{{instruction}}\n```\n--\nAdd {{files}}.')
  expect(asks[0]?.show).toEqual({})
})

it('baseline with turns begins with the prompt of one’s own', async () => {
  const { asks } = await play(baseline, { template, turns: 2 }, [
    ['solver', 'one'],
    ['solver', 'two'],
  ])
  expect(asks.map(({ options }) => options.session)).toEqual(['solver', 'solver'])
  expect(asks[0]?.prompt).toContain('You are terse.')
  expect(asks[1]?.prompt).toContain('Go over your work')
})

const files = (texts: Readonly<Record<string, string>>): Documents => ({
  read: (path) => texts[path],
  list: () => undefined,
  shipped: {},
})
const resolve = (options: { turns: number; prompt?: string; template?: PromptTemplate }, texts = {}) =>
  baseline.resolve?.(options, files(texts))

it('baseline reads its prompt before the run; without one its options stay as they were', () => {
  expect(baseline.options.parse({})).toEqual({ turns: 1 })
  expect(resolve({ turns: 1 })).toEqual({ turns: 1 })
  expect(resolve({ turns: 1, prompt: 'p.md' }, { 'p.md': template.text })).toEqual({
    ...{ turns: 1, prompt: 'p.md' },
    template,
  })
})

it('baseline refuses a prompt that is not there, and a template in place of one', () => {
  expect(() => resolve({ turns: 1, prompt: 'q.md' })).toThrow('[prompt q.md] there is no such file')
  expect(() => resolve({ turns: 1, template })).toThrow('bench sets this option itself')
})
