import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { mmluPro } from '../../src/suites/mmlu-pro.ts'
import { gradeLeft } from '../helpers/graders/grader-contract.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'

const write = suiteFiles()
const lines = (...all: unknown[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')
const tides = ['sun', 'wind', 'rain', 'rivers', 'ice', 'ships', 'whales', 'clouds', 'winter', 'the moon']

// Written for this test, in the form of MMLU-Pro.
const published = {
  question_id: 70,
  question: 'What makes most of the tides?',
  options: tides,
  answer: 'J',
  answer_index: 9,
  cot_content: '',
  category: 'computer science',
  src: 'written for a test',
}
const byLetter = { A: 'one', B: 'two', C: 'three' }
const selected = { id: 'health/6', question: 'How many lungs?', options: byLetter, target: 'B' }

it('mmlu-pro reads questions as published, and clusters them by category', async () => {
  const { tasks, problems } = await readSuite(mmluPro, write('test.jsonl', lines(published)))
  expect(problems).toEqual([])
  expect(tasks[0]).toMatchObject({
    ref: 'mmlu-pro/70',
    spec: {
      graders: [{ kind: 'choice', answer: 'J', options: tides }],
      tags: ['computer-science'],
      cluster: 'computer-science',
      licence: 'MIT',
    },
    hidden: { solution: { answer: 'J' } },
  })
  expect(tasks[0]?.instruction).toContain('- (J) the moon')
})

it('mmlu-pro reads a gzipped selection, whose names have the category', async () => {
  const { tasks, problems } = await readSuite(mmluPro, write('some.jsonl.gz', gzipSync(lines(selected))))
  expect(problems).toEqual([])
  expect(tasks).toMatchObject([
    {
      ref: 'mmlu-pro/health-6',
      spec: { cluster: 'health', graders: [{ options: ['one', 'two', 'three'] }] },
    },
  ])
})

it.each([
  ['Answer: J', true],
  ['Answer: J) the moon', true],
  ['So.\n\n**Answer: (J)**', true],
  ["'Answer: J'", true],
  ['\\boxed{J}', true],
  ['\\boxed{\\text{J}}', true],
  ['Hence the answer is (J).', true],
  ['The answer is (J) the moon.', true],
  ['The best answer is J.', true],
  ['the moon', true],
  ['Answer: I', false],
  ['Answer: I or J', false],
  ['Answer: K', false],
  ['Answer: A) the moon', false],
  ['Answer: ships', false],
])('mmlu-pro grades the tenth option in the reply %j: %s', async (answer, right) => {
  const { tasks } = await readSuite(mmluPro, write('grade.jsonl', lines(published)))
  expect((await gradeLeft(tasks[0] as (typeof tasks)[number], { answer })).passed).toBe(right)
})

it('mmlu-pro leaves out options that only fill the list, and takes letters where texts are alike', async () => {
  const filled = { ...published, options: ['x', 'y', 'N/A', 'N/A'], answer: 'B' }
  const twice = { ...published, question_id: 71, options: ['x', 'x', 'y'], answer: 'B' }
  const { tasks, problems } = await readSuite(mmluPro, write('odd.jsonl', lines(filled, twice)))
  expect(problems).toEqual([])
  expect(tasks.map(({ spec }) => [spec.graders, spec.knownIssues])).toMatchObject([
    [[{ options: ['x', 'y'] }], undefined],
    [[{ options: ['A', 'B', 'C'], answer: 'B' }], ['two of its options have the same text']],
  ])
})

it('mmlu-pro reports what is missing, repeated or no option, by line and field', async () => {
  const { answer: _, ...open } = published
  const { id: __, ...nameless } = selected
  const { problems } = await readSuite(
    mmluPro,
    write(
      'bad.jsonl',
      lines(
        ...[published, open, nameless, published],
        { ...selected, target: 'D' },
        { ...selected, id: 'health/7', options: { A: 'a', C: 'c' } },
        { ...selected, id: 'health/8', options: ['one'] },
        { ...selected, id: 'health/9', options: 'one, two' },
      ),
    ),
  )
  expect(problems.map(({ where, what }) => `${where.split('/').at(-1)}: ${what}`)).toMatchSnapshot()
})
