import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InfrastructureError } from '../../src/text/errors.ts'
import { gradeLeft } from '../helpers/graders/grader-contract.ts'
import { answerTask, passes } from '../helpers/machine/answers.ts'

it('a grader without an answer compares with the reference answer', async () => {
  expect(await passes({ kind: 'numeric' }, '12', '12')).toBe(true)
  expect(await passes({ kind: 'exact' }, 'Yes', 'yes')).toBe(true)
  expect(await passes({ kind: 'choice', options: ['yes', 'no'] }, '(B)', 'no')).toBe(true)
})

it('options that differ only by case or marks are distinguished', async () => {
  const truths = { kind: 'choice', options: ['true', 'True', 'TRUE'], answer: 'True' }
  for (const [answer, right] of [
    ['True', true],
    ['(B)', true],
    ['B. True', true],
    ['true', false],
    ['TRUE', false],
    ['tRUE', false],
  ] as const)
    expect(await passes(truths, answer), answer).toBe(right)
  const signs = { kind: 'choice', options: ['^', '**', '*', 'pow'], answer: 'B' }
  expect(await passes(signs, 'B')).toBe(true)
  expect(await passes(signs, 'C')).toBe(false)
  expect(await passes(signs, 'Pow.')).toBe(false)
})

it('exact matching respects case if the task says so', async () => {
  expect(await passes({ kind: 'exact', answer: 'Yes', ignoreCase: false }, 'yes')).toBe(false)
  expect(await passes({ kind: 'exact', answer: 'Yes', ignoreCase: false }, 'Yes')).toBe(true)
})

it('the task’s patterns find the answer', async () => {
  const grader = { kind: 'exact', answer: 'cat', extract: ['<a>(.*?)</a>'] }
  expect(await passes(grader, '<a>dog</a> <a>cat</a> Answer: dog')).toBe(true)
})

it('an unusable expected answer is an infrastructure error, not a score of 0', async () => {
  const broken = [
    answerTask({ kind: 'numeric' }, 'a few'),
    answerTask({ kind: 'numeric' }, '1e400'),
    answerTask({ kind: 'numeric' }, '0x10'),
    answerTask({ kind: 'choice', answer: 'E', options: ['x', 'y'] }),
    answerTask({ kind: 'exact' }),
  ]
  for (const task of broken)
    await expect(gradeLeft(task, { answer: '1' })).rejects.toThrow(InfrastructureError)
})

it('names that look like Markdown are not stripped', async () => {
  expect(await passes({ kind: 'exact', answer: '__init__' }, 'Answer: `__init__`')).toBe(true)
  expect(await passes({ kind: 'exact', answer: '__init__' }, '__main__')).toBe(false)
})

it('each answer is graded by its own task and grader, in any order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(250)), { minLength: 20, maxLength: 300 }),
      async (turns) => {
        const specs = [
          { kind: 'exact', answer: '7' },
          { kind: 'exact', answer: 'B' },
          { kind: 'exact', answer: 'B', ignoreCase: false },
        ]
        const tasks = specs.map((spec) => answerTask(spec))
        for (const [which, kind, number] of turns) {
          const answer = ['b', 'B', `${number}`][kind] as string
          const right = [answer === '7', kind < 2, kind === 1][which]
          const { scores, passed } = await gradeLeft(tasks[which] as (typeof tasks)[0], { answer })
          expect([passed, scores[0]?.reason]).toEqual([
            right,
            `${JSON.stringify(answer)} is ${right ? 'right' : 'not the answer'}`,
          ])
        }
      },
    ),
    { numRuns: 20 },
  ))

it('grading ends for the longest replies', async () => {
  // Each of these takes seconds to minutes with a regular expression that backtracks.
  for (const part of [
    '**',
    '*',
    ' ',
    '`"',
    '1,',
    '5%',
    'a)',
    'A. ',
    'answer:\n',
    '#### x\n',
    '####',
    'answer ',
    '\\boxed{',
  ]) {
    const answer = `Answer: ${part.repeat(65_536 / part.length)}x`
    await passes({ kind: 'exact', answer: 'no' }, answer)
    await passes({ kind: 'numeric', answer: 1 }, answer)
    await passes({ kind: 'choice', answer: 'A', options: ['yes', 'no'] }, answer)
  }
})

it('a pattern is tried on the final answer as exact finds it, or on the whole text that the task asks for', async () => {
  const reply = 'Perhaps March.\nAnswer: May.'
  expect(await passes({ kind: 'pattern', require: ['^may$'] }, reply)).toBe(true)
  expect(await passes({ kind: 'pattern', require: ['march'] }, reply)).toBe(false)
  expect(await passes({ kind: 'pattern', require: ['^perhaps [^]*may\\.$'], reads: 'reply' }, reply)).toBe(
    true,
  )
})

it('grading ends for an expression with catastrophic backtracking', async () => {
  expect(await passes({ kind: 'pattern', require: ['(a+)+$'] }, `${'a'.repeat(40)}!`)).toBe(false)
  expect(await passes({ kind: 'pattern', require: ['(a+)+$'] }, 'aaa')).toBe(true)
})
