import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  agreementByCriterion,
  krippendorffAlpha,
  type Metric,
} from '../../../src/analysis/agreement/agreement.ts'

const _ = null
/** Returns the values of each unit, from one row for each rater. */
const unitsOf = (raters: readonly (readonly (number | null)[])[]) =>
  (raters[0] ?? []).map((__, unit) =>
    raters.flatMap((row) => {
      const value = row[unit]
      return typeof value === 'number' ? [value] : []
    }),
  )

describe("Krippendorff's alpha for intervals", () => {
  it('is 0.849 for the data of Krippendorff (2011), section D', () => {
    const raters = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
      [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
    const { alpha, units, values } = krippendorffAlpha(unitsOf(raters))
    expect(alpha).toBeCloseTo(0.849, 3)
    expect({ units, values }).toEqual({ units: 11, values: 40 })
  })

  it('is 0.811 for the example with three raters and 15 units that reference implementations share', () => {
    const raters = [
      [_, _, _, _, _, 3, 4, 1, 2, 1, 1, 3, 3, _, 3],
      [1, _, 2, 1, 3, 3, 4, 3, _, _, _, _, _, _, _],
      [_, _, 2, 1, 3, 4, 4, _, 2, 1, 1, 3, 3, _, 4],
    ]
    expect(krippendorffAlpha(unitsOf(raters)).alpha).toBeCloseTo(0.811, 3)
  })

  it('is 1 for equal ratings of different units, and negative for opposite ones', () => {
    expect(
      krippendorffAlpha([
        [1, 1],
        [5, 5],
        [9, 9, 9],
      ]).alpha,
    ).toBe(1)
    expect(
      krippendorffAlpha([
        [1, 9],
        [9, 1],
        [1, 9],
      ]).alpha,
    ).toBeLessThan(0)
  })

  it('has no value where nobody rated the same unit, or where all scores are equal', () => {
    expect(krippendorffAlpha([])).toMatchObject({ alpha: null, because: 'no-pairs', units: 0 })
    expect(krippendorffAlpha([[3], [4]])).toMatchObject({ alpha: null, because: 'no-pairs' })
    expect(
      krippendorffAlpha([
        [0.1 + 0.2, 0.1 + 0.2],
        [0.1 + 0.2, 0.1 + 0.2],
      ]),
    ).toMatchObject({
      alpha: null,
      because: 'no-variation',
    })
  })
})

it('scores are summed up by criterion, and only auditors of the same output are compared', () => {
  const score = (unit: string, auditor: string, value: number, criterion = 'hook') => ({
    ...{ unit, auditor, criterion },
    score: value,
  })
  const scores = [
    ...[score('x', 'a', 8), score('x', 'b', 6), score('y', 'a', 4), score('y', 'b', 5), score('z', 'a', 10)],
    score('x', 'a', 7, 'voice'),
  ]
  const [hook, voice] = agreementByCriterion(scores)
  expect(hook).toMatchObject({ criterion: 'hook', auditors: 2, scores: 5, mean: 6.6, spread: 1.5, units: 2 })
  // Observed: (4 + 4 + 1 + 1) / 4 = 2.5; expected: the pairs of 8, 6, 4, 5, 70 / 12.
  expect(hook?.alpha).toBeCloseTo(1 - 2.5 / (70 / 12), 10)
  expect(voice).toMatchObject({ criterion: 'voice', mean: 7, spread: null, alpha: null, because: 'no-pairs' })
})

/** Alpha by the matrix of coincidences, as the paper computes it: a second way to the same number. */
function alphaByMatrix(units: readonly (readonly number[])[], metric: Metric): number {
  const paired = units.filter((values) => values.length > 1)
  const values = [...new Set(paired.flat())].sort((a, b) => a - b)
  const coincidences = values.map(() => values.map(() => 0))
  for (const unit of paired)
    for (const [i, a] of unit.entries())
      for (const [j, b] of unit.entries()) {
        const row = coincidences[values.indexOf(a)] as number[]
        if (i !== j) row[values.indexOf(b)] = (row[values.indexOf(b)] as number) + 1 / (unit.length - 1)
      }
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
  const counts = coincidences.map(sum)
  const n = sum(counts)
  const delta = (c: number, k: number) => {
    const [low, high] = [Math.min(c, k), Math.max(c, k)]
    if (metric === 'nominal') return Number(c !== k)
    if (metric === 'interval') return ((values[c] as number) - (values[k] as number)) ** 2
    const between = sum(counts.slice(low, high + 1))
    return (between - ((counts[c] as number) + (counts[k] as number)) / 2) ** 2
  }
  const over = (of: (c: number, k: number) => number) =>
    sum(values.flatMap((_, c) => values.map((_, k) => of(c, k) * delta(c, k))))
  const observed = over((c, k) => coincidences[c]?.[k] ?? 0)
  const expected = over((c, k) => (counts[c] as number) * (counts[k] as number))
  return 1 - ((n - 1) * observed) / expected
}

describe("Krippendorff's alpha of other metrics", () => {
  const raters = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
  ]

  it.each([
    ['nominal', 0.743],
    ['ordinal', 0.815],
    ['interval', 0.849],
  ] as const)('is, with the %s metric, %d for the data of Krippendorff (2011)', (metric, published) => {
    const { alpha } = krippendorffAlpha(unitsOf(raters), metric)
    expect(alpha).toBeCloseTo(published, 3)
    expect(alpha).toBeCloseTo(alphaByMatrix(unitsOf(raters), metric), 12)
  })

  it.each(['nominal', 'ordinal', 'interval'] as const)(
    'agrees with the matrix of coincidences (%s)',
    (metric) => {
      const ratings = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }), {
        minLength: 2,
        maxLength: 12,
      })
      fc.assert(
        fc.property(ratings, (units) => {
          const { alpha } = krippendorffAlpha(units, metric)
          if (alpha !== null) expect(alpha).toBeCloseTo(alphaByMatrix(units, metric), 9)
        }),
        { numRuns: 100, seed: 1 },
      )
    },
  )
})
