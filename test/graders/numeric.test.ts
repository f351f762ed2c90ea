import fc from 'fast-check'
import { expect, it } from 'vitest'
import { passes } from '../helpers/machine/answers.ts'

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
])('the numeric grader reads %j against %d: %s', async (answer, expected, right) => {
  expect(await passes({ kind: 'numeric', answer: expected }, answer)).toBe(right)
})

it.each([
  ['2,5', 2.5, true],
  ['2.5', 2.5, true],
  ['-2,5', -2.5, true],
  ['1,5 Liter', 1.5, true],
  ['3,50 €', 3.5, true],
  ['3,5 %', 3.5, true],
  ['12,345', 12.345, true],
  ['12,345', 12345, false],
  ['1.234', 1234, true],
  ['1.234', 1.234, false],
  ['1.234.567,8', 1234567.8, true],
  ['0.125', 0.125, true],
  ['Antwort: 2,5.', 2.5, true],
  ['1,234,567', 1234567, true],
])('with decimal: comma the numeric grader reads %j against %d: %s', async (answer, expected, right) => {
  expect(await passes({ kind: 'numeric', answer: expected, decimal: 'comma' }, answer)).toBe(right)
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
])(
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
