import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InfrastructureError } from '../../src/errors.ts'
import { gradeLeft } from '../helpers/grader-contract.ts'
import { sampleTask } from '../helpers/sample-task.ts'

const answerTask = (grader: Record<string, unknown>, solution?: string) =>
  sampleTask({
    spec: { output: 'answer', editable: [], graders: [grader] },
    ...(solution === undefined ? {} : { solution: { answer: solution } }),
  })
const passes = async (grader: Record<string, unknown>, answer: string, solution?: string) =>
  (await gradeLeft(answerTask(grader, solution), { answer })).passed

it.each([
  ['18', 18, true],
  ['$18', 18, true],
  ['-$18', -18, true],
  ['$-18.50', -18.5, true],
  ['18.', 18, true],
  ['18 apples', 18, true],
  ['€1,234,567.5', 1234567.5, true],
  ['45%', 45, true],
  ['45%', 0.45, true],
  ['45\\%', 45, true],
  ['.5', 0.5, true],
  ['2 + 3 = 5', 5, true],
  ['18 (18.0)', 18, true],
  ['the total is 18', 18, true],
  ['H2O has 3', 3, true],
  ['12:30', 12, false],
  ['1,2,3', 3, false],
  ['3/4', 3, false],
  ['18 of 20', 18, false],
  ['18 of 20', 20, false],
  ['180', 18, false],
  ['118', 18, false],
  ['−18', 18, false],
  ['−18', -18, true],
])('reads %j against %d: %s', async (answer, expected, right) => {
  expect(await passes({ kind: 'numeric', answer: expected }, answer)).toBe(right)
})

it.each([
  ['1000000000001', 1_000_000_000_000, false],
  ['6402373705721598', 6_402_373_705_728_000, false],
  ['6402373705728000', 6_402_373_705_728_000, true],
  ['0.30000000000000004', 0.3, true],
  ['0.3000000000001', 0.3, false],
  ['0.0000000000001', 0, false],
  ['0x10', 0, false],
  ['0x10', 16, false],
  ['0xFF', 0, false],
  ['3 x 100', 3, false],
  ['3 x 100', 300, false],
  ['3x100', 3, false],
  ['3 x 3', 3, false],
  ['3/3', 3, false],
  ['5,5', 5, false],
  ['9 = 3 x 3', 9, false],
  ['3 x 3 = 9', 9, true],
  ['2 * 1024', 2e24, false],
  ['2 * 10', 2, false],
  ['3×10^3', 3000, true],
  ['3 x 10^3', 3000, true],
  ['3*10^{3}', 3000, true],
  ['3 × 10³', 3000, true],
  ['3 \\times 10^{-3}', 0.003, true],
  ['3×10⁻³', 0.003, true],
  ['3e−3', 0.003, true],
  ['10^3', 1000, true],
  ['10³', 1000, true],
  ['10^3', 10, false],
  ['10^10', 10, false],
  ['10**10', 10, false],
  ['2^10', 2, false],
  ['2^2', 2, false],
  ['2^10 = 1024', 1024, true],
  ['1024 = 2^10', 1024, false],
  ['110^3', 110, false],
  ['1_000', 1, false],
  ['1.2.3', 1.2, false],
  ['1e400', 5, false],
  ['1e3x4', 1000, false],
  ['–5', -5, true],
  ['–5', 5, false],
  ['–$5', -5, true],
  ['$–5', -5, true],
  ['Result – 5', 5, true],
  ['18km', 18, true],
  ['18 km/h', 18, true],
  ['24cm2', 24, true],
  ['24m²', 24, true],
  ['3rd', 3, true],
  ['5x faster', 5, true],
  ['1,234.5, about', 1234.5, true],
  ['\\$5 (\\$5.00)', 5, true],
  ['30^\\circ', 30, true],
  ['$30^\\circ$', 30, true],
  ['\\boxed{30^{\\circ}}', 30, true],
  ['15^{th}', 15, true],
  ['15^\\prime', 15, true],
  ['15^o', 15, true],
  ['2^n', 2, false],
  ['2^{n}', 2, false],
  ['3x^2', 3, false],
  ['42kgCO2e', 42, true],
  ['42yd2', 42, true],
  ['15mol2', 15, true],
  ['15h30', 15, true],
  ['24 m^2', 24, true],
  ['24 m^{-2}', 24, true],
  ['x^2 grows by 6', 6, true],
])('takes no more of %j against %d than is written: %s', async (answer, expected, right) => {
  expect(await passes({ kind: 'numeric', answer: expected }, answer)).toBe(right)
})

it('reads every way of writing a whole number as that number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -1_000_000, max: 1_000_000 }), async (value) => {
      const grouped = value.toLocaleString('en-US')
      for (const form of [
        `${value}`,
        grouped,
        `${value}.00`,
        `Answer: ${grouped} km.`,
        value.toExponential(),
      ]) {
        expect(await passes({ kind: 'numeric', answer: value }, form), form).toBe(true)
      }
      expect(await passes({ kind: 'numeric', answer: value }, `${value + 1}`)).toBe(false)
    }),
    { numRuns: 100, seed: 1 },
  )
})

it('takes numbers within the tolerance, its bounds included', async () => {
  const grader = { kind: 'numeric', answer: 0.3, tolerance: 0.1 }
  expect(await passes(grader, '0.4')).toBe(true)
  expect(await passes(grader, '0.2')).toBe(true)
  expect(await passes(grader, '0.41')).toBe(false)
  const wide = { kind: 'numeric', answer: 0.1, tolerance: 4.1 }
  expect(await passes(wide, '4.2')).toBe(true)
  expect(await passes(wide, '-4')).toBe(true)
  expect(await passes(wide, '4.2001')).toBe(false)
})

it('takes every decimal fraction at the bounds of a tolerance, and none beyond', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: 0, max: 5000 }),
      async (cents, slack) => {
        const grader = { kind: 'numeric', answer: cents / 100, tolerance: slack / 100 }
        for (const edge of [cents + slack, cents - slack])
          expect(await passes(grader, (edge / 100).toFixed(2)), `${edge}`).toBe(true)
        expect(await passes(grader, ((cents + slack + 1) / 100).toFixed(2))).toBe(false)
      },
    ),
    { numRuns: 300, seed: 1 },
  ))

it('compares with the reference answer where the grader has none', async () => {
  expect(await passes({ kind: 'numeric' }, '12', '12')).toBe(true)
  expect(await passes({ kind: 'exact' }, 'Yes', 'yes')).toBe(true)
  expect(await passes({ kind: 'choice', options: ['yes', 'no'] }, '(B)', 'no')).toBe(true)
})

it('tells options apart by case and marks where they differ by nothing else', async () => {
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

it('minds case where it is told to', async () => {
  expect(await passes({ kind: 'exact', answer: 'Yes', ignoreCase: false }, 'yes')).toBe(false)
  expect(await passes({ kind: 'exact', answer: 'Yes', ignoreCase: false }, 'Yes')).toBe(true)
})

it('uses the task’s own patterns to find the answer', async () => {
  const grader = { kind: 'exact', answer: 'cat', extract: ['<a>(.*?)</a>'] }
  expect(await passes(grader, '<a>dog</a> <a>cat</a> Answer: dog')).toBe(true)
})

it('is an error of ours, not a 0, when the expected answer is unusable', async () => {
  const broken = [
    answerTask({ kind: 'numeric' }, 'a dozen'),
    answerTask({ kind: 'numeric' }, '1e400'),
    answerTask({ kind: 'numeric' }, '0x10'),
    answerTask({ kind: 'choice', answer: 'E', options: ['x', 'y'] }),
    answerTask({ kind: 'exact' }),
  ]
  for (const task of broken)
    await expect(gradeLeft(task, { answer: '1' })).rejects.toThrow(InfrastructureError)
})

it('takes names that look like Markdown for what they are', async () => {
  expect(await passes({ kind: 'exact', answer: '__init__' }, 'Answer: `__init__`')).toBe(true)
  expect(await passes({ kind: 'exact', answer: '__init__' }, '__main__')).toBe(false)
})

it('judges each answer by its own task and its own grader, however they take turns', () =>
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

it('comes to an end with the longest replies', async () => {
  // Each took from seconds to minutes with one careless regular expression.
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

it('comes to an end with an expression that goes back and forth for ever over what a model wrote', async () => {
  const runaway = `${'a'.repeat(40)}!`
  const kind = 'pattern'
  expect(await passes({ kind, require: ['(a+)+$'] }, runaway)).toBe(false)
  expect(await passes({ kind, require: ['!'], forbid: ['(a+)+$'] }, runaway)).toBe(false)
  expect(await passes({ kind, require: ['(a+)+$'] }, 'aaa')).toBe(true)
  expect(await passes({ kind: 'exact', extract: ['(?:(a+)+$)'] }, `${runaway}\nAnswer: 7`, '7')).toBe(true)
})
