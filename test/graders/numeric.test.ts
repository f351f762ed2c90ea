import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tableOf } from '../helpers/house/tables.ts'
import { passes } from '../helpers/machine/answers.ts'

it.each(tableOf<[string, number, boolean][]>(import.meta.url, 'numericGrader'))(
  'the numeric grader reads %j against %d: %s',
  async (answer, expected, right) => {
    expect(await passes({ kind: 'numeric', answer: expected }, answer)).toBe(right)
  },
)

it.each(tableOf<[string, number, boolean][]>(import.meta.url, 'decimalComma'))(
  'with decimal: comma the numeric grader reads %j against %d: %s',
  async (answer, expected, right) => {
    expect(await passes({ kind: 'numeric', answer: expected, decimal: 'comma' }, answer)).toBe(right)
  },
)

it.each(tableOf<[string, number, boolean][]>(import.meta.url, 'numericGrader2'))(
  'the numeric grader reads only the written number of %j against %d: %s',
  async (answer, expected, right) => {
    expect(await passes({ kind: 'numeric', answer: expected }, answer)).toBe(right)
  },
)

it('every notation of a whole number is read as that number', async () => {
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

it('numbers within the tolerance pass, its bounds included', async () => {
  const grader = { kind: 'numeric', answer: 0.3, tolerance: 0.1 }
  expect(await passes(grader, '0.4')).toBe(true)
  expect(await passes(grader, '0.2')).toBe(true)
  expect(await passes(grader, '0.41')).toBe(false)
  const wide = { kind: 'numeric', answer: 0.1, tolerance: 4.1 }
  expect(await passes(wide, '4.2')).toBe(true)
  expect(await passes(wide, '-4')).toBe(true)
  expect(await passes(wide, '4.2001')).toBe(false)
})

it('decimal fractions at the bounds of a tolerance pass, and none beyond', () =>
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

it.each([
  ['12345678901234567891', '12345678901234567890', false],
  ['12,345,678,901,234,567,890', '12345678901234567890', true],
  ['9007199254740992', '9007199254740993', false],
  ['9.007199254740993e15', '9007199254740993', true],
])(
  'the numeric grader compares all digits of a large whole number: %s against %s',
  async (reply, answer, right) => {
    expect(await passes({ kind: 'numeric', answer }, reply)).toBe(right)
  },
)

it.each(tableOf<[string, object, boolean][]>(import.meta.url, 'units'))(
  'the numeric grader reads %j against %j: %s',
  async (answer, grader, right) => {
    expect(await passes({ kind: 'numeric', ...grader }, answer)).toBe(right)
  },
)
