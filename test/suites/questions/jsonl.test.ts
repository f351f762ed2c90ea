import { expect, it } from 'vitest'
import { loadSuite } from '../../../src/suites/load-suite.ts'
import { jsonl } from '../../../src/suites/questions/jsonl.ts'
import { readSuite } from '../../helpers/suites/read-suite.ts'
import { suiteFiles } from '../../helpers/suites/suite-file.ts'

const write = suiteFiles()
const lines = (...objects: unknown[]) =>
  objects.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
const load = (text: string, parameters: Record<string, string> = {}) =>
  readSuite(jsonl, write('set.jsonl', text), parameters)

it('fields are columns, also one inside another, and an answer may be a number or a list', async () => {
  const { tasks, problems } = await load(
    lines({ data: { q: 'How many?' }, answer: 4 }, { data: { q: 'Who?' }, answer: ['Ada', 'Ada Lovelace'] }),
    { question: 'data.q' },
  )
  expect(problems).toEqual([])
  expect(tasks.map(({ instruction, spec }) => [instruction, spec.rule, spec.graders.length])).toEqual([
    ['How many?', 'all', 1],
    ['Who?', 'any', 2],
  ])
})

it('a number that is typed as one is in no doubt, and one in quotes is read like a cell', async () => {
  const path = write(
    'set.jsonl',
    lines({ question: 'A?', answer: 1.234 }, { question: 'B?', answer: '1.234' }),
  )
  const { guesses } = await loadSuite(jsonl, { path, parameters: {} })
  expect(guesses.map(({ reason }) => reason)).toEqual([
    'the answer is one number',
    expect.stringContaining('whose point stands before decimals'),
  ])
})

it('options are a list, or a list with labels', async () => {
  const { tasks, problems } = await load(
    lines(
      { question: 'Which?', choices: ['red', 'blue'], answer: 'blue' },
      { question: 'Which?', choices: { text: ['red', 'blue'], label: ['1', '2'] }, answer: '2' },
    ),
  )
  expect(problems).toEqual([])
  expect(tasks.map(({ spec }) => spec.graders[0])).toMatchObject([{ answer: 'blue' }, { answer: 'B' }])
})

it('options are an object of letters, or fields inside another', async () => {
  const line = lines({ question: 'Which?', options: { A: 'red', B: 'blue' }, answer: 'B' })
  const graders = [{ kind: 'choice', answer: 'B', options: ['red', 'blue'] }]
  const all: Record<string, string>[] = [{}, { options: 'options.A+options.B' }]
  for (const parameters of all)
    expect((await load(line, parameters)).tasks).toMatchObject([{ spec: { graders } }])
})

it.each([
  ['no JSON', '{"question": "a"', /:2 is not JSON/],
  ['no object', '[1]', /:2 is not an object/],
  ['no answer', { question: 'a' }, /:2 answer is missing/],
  ['a list as question', { question: ['a'], answer: 1 }, /:2 question is a list/],
  ['a zero byte', { question: 'a\0b', answer: 1 }, /:2 question has a character/],
  ['half a character', { question: 'a\ud800', answer: 1 }, /:2 question has a character/],
  [
    'options that are no list',
    { question: 'a', options: { first: 'x' }, answer: 1 },
    /:2 options is an object/,
  ],
  [
    'a place without index',
    { question: 'a', options: ['x', 'y'], answer: 1 },
    /:2 answer is 1, which is not one of the options/,
  ],
])('a malformed line is reported by line and field: %s', async (_, line, problem) => {
  const { tasks, problems } = await load(
    lines({ question: 'Fine?', answer: 1 }, line, { question: 'And?', answer: 2 }),
  )
  expect(problems.map(({ where, what }) => `${where} ${what}`)).toEqual([expect.stringMatching(problem)])
  // The place of a task in the file names it, also behind a line that cannot be read.
  expect(tasks.map(({ ref }) => ref)).toEqual(['set/q1', 'set/q3'])
})

it('invalid lines are counted and left out on demand', async () => {
  const path = write(
    'some.jsonl',
    lines({ question: 'a', answer: 1 }, 'no', { question: 'b', answer: 2 }, '{'),
  )
  const read = await loadSuite(jsonl, { path, parameters: {} }, { skipInvalid: true })
  expect([read.tasks.length, read.problems.length, read.skipped]).toEqual([2, 0, 2])
})

it('a slice reads no further than it needs', async () => {
  const many = lines(...Array.from({ length: 30 }, (_, i) => ({ question: `Q${i}`, answer: i })), 'broken')
  const path = write('many.jsonl', many)
  const read = await loadSuite(jsonl, { path, parameters: {} }, { range: { text: '5', from: 0, to: 4 } })
  expect([read.tasks.length, read.problems.length]).toEqual([5, 0])
})

it('a file of another format stops after some problems', async () => {
  const { problems } = await load('no JSON\n'.repeat(5000))
  expect(problems).toHaveLength(51)
  expect(problems.at(-1)?.what).toBe('was not read to its end: it has more than 50 problems')
})
