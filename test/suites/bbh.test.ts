import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { exact } from '../../src/graders/answers.ts'
import { bbh } from '../../src/suites/bbh.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'

const write = suiteFiles()
const canary = 'canary GUID 00000000-0000-0000-0000-000000000000'
const file = (name: string, ...examples: unknown[]) =>
  write(`${name}.json`, JSON.stringify({ canary, examples }))
const colours = 'Which colour?\nOptions:\n(A) red\n(B) blue'

it.each([
  ['(B)', colours, { kind: 'choice', answer: '(B)', options: ['red', 'blue'] }],
  ['valid', 'Is it?\nOptions:\n- valid \n- invalid', { kind: 'choice', options: ['valid', 'invalid'] }],
  ['yes', 'Is it plausible?', { kind: 'choice', answer: 'yes', options: ['Yes', 'No'] }],
  ['False', 'not True is', { kind: 'choice', options: ['True', 'False'] }],
  ['-17', '3 - 20 =', { kind: 'numeric', answer: '-17' }],
  ['ant bee cow', 'Sort: cow bee ant', { kind: 'exact', answer: 'ant bee cow' }],
  ['] )', 'Close ( [', { kind: 'exact', answer: '] )' }],
])('bbh grades the target %s by its kind', async (target, input, grader) => {
  const { tasks, problems } = await readSuite(bbh, file('kinds', { input, target }))
  expect(problems).toEqual([])
  expect(tasks[0]?.spec).toMatchObject({ graders: [grader], licence: 'MIT', canary })
  expect(tasks[0]?.instruction).toBe(input.trim())
})

it.each([
  ['}', '}', true],
  ['}', 'First ) closes.\n)\n\n**Answer: }**', true],
  ['}', 'Answer: } ]', false],
  ['}', 'Answer: {}', false],
  ['> )', 'Answer: > )', true],
  ['> )', 'Answer: )', false],
])('bbh grades the brackets %s against the reply %j', async (target, reply, passes) => {
  const { tasks } = await readSuite(bbh, file('brackets', { input: 'Close them', target }))
  const [task] = tasks
  const spec = task?.spec.graders[0]
  if (!task || spec?.kind !== 'exact') throw new Error('no exact grader')
  const graded = await exact({ spec, task, answer: reply } as Parameters<typeof exact>[0])
  expect(graded).toMatchObject({ value: passes ? 1 : 0 })
})

it.each([
  [
    'an input with contrary targets',
    [
      { input: 'a', target: 'Yes' },
      { input: 'b', target: 'No' },
      { input: 'a', target: 'No' },
    ],
    [true, false, true],
  ],
  ['a target that is no option', [{ input: colours, target: 'red, blue' }], [true]],
  ['options with one text', [{ input: 'Which?\nOptions:\n(A) red\n(B) red', target: '(B)' }], [true]],
  [
    'an input that stands twice',
    [
      { input: 'a', target: 'No' },
      { input: 'a', target: 'No' },
    ],
    [false, false],
  ],
])('bbh names as known issue: %s', async (_, examples, issues) => {
  const { tasks, problems } = await readSuite(bbh, file('issues', ...examples))
  expect(problems).toEqual([])
  expect(tasks.map(({ spec }) => spec.knownIssues !== undefined)).toEqual(issues)
})

it('bbh reads a selection of examples, a line each, by the names of their files', async () => {
  const lines = [
    { id: 'navigate/15', cat: 'navigate', input: 'Is it?\nOptions:\n- Yes\n- No', target: 'Yes' },
    { id: 'word_sorting/3', cat: 'word_sorting', input: 'Sort: b a', target: 'a b' },
    { id: 'word_sorting/4', input: 'Sort: d c', target: 'c d' },
  ]
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const { tasks, problems } = await readSuite(bbh, write('selected.jsonl.gz', gzipSync(text)))
  expect(tasks).toMatchObject([
    { ref: 'bbh/navigate-15', spec: { cluster: 'navigate', graders: [{ kind: 'choice', answer: 'Yes' }] } },
    { ref: 'bbh/word_sorting-3', spec: { cluster: 'word_sorting', graders: [{ kind: 'exact' }] } },
  ])
  expect(problems).toMatchObject([{ where: expect.stringMatching(/:3 cat$/), what: 'is missing' }])
})

it('bbh chooses by letters alone where an option is the letter of another', async () => {
  const input = 'Which gene?\nOptions:\n(A) B\n(B) A'
  const { tasks, problems } = await readSuite(bbh, file('letters', { input, target: '(B)' }))
  expect(problems).toEqual([])
  expect(tasks[0]?.spec).toMatchObject({
    graders: [{ kind: 'choice', options: ['A', 'B'], answer: '(B)' }],
    knownIssues: ['one of its options is the letter of another'],
  })
})

it('bbh reads a folder, and refuses links in it', async () => {
  const folder = dirname(file('x'))
  mkdirSync(join(folder, 'all'))
  file('all/one', { input: 'a', target: '1' }, { input: 'b' })
  file('all/two', { input: 'c', target: '2' })
  symlinkSync(join(folder, 'x.json'), join(folder, 'all/away.json'))
  const { tasks, problems } = await readSuite(bbh, join(folder, 'all'))
  expect(tasks.map(({ ref }) => ref)).toEqual(['bbh/one-1', 'bbh/two-1'])
  expect(problems.map(({ where, what }) => [where.slice(folder.length), what])).toMatchSnapshot()
})
