import { expect, it } from 'vitest'
import { play } from '../../src/testing.ts'
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
