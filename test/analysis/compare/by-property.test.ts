import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitByProperty } from '../../../src/analysis/compare/property-results.ts'
import { permutedGroupsP } from '../../../src/analysis/resampling/flipped-means.ts'
import { groupDifference } from '../../../src/analysis/tasks/mean-interval.ts'
import { compare, repeat, trials } from './compared.ts'

/** `decomposability` of the tasks s/000, s/001, … */
const stating = (values: readonly (number | null)[], name = 'decomposability') =>
  Object.fromEntries(
    values.flatMap((value, i) =>
      value === null ? [] : [[`s/${String(i).padStart(3, '0')}`, { [name]: value }]],
    ),
  )
const low = repeat('0', 6)
const rows = (a: readonly string[], b: readonly string[]) => [...trials('a', a), ...trials('b', b)]
/** `a` passes no task of low decomposability and all of high; `b` passes half of each. */
const records = rows(
  [...repeat('0', 6), ...repeat('1', 8)],
  [...repeat('1', 3), ...repeat('0', 3), ...repeat('1', 4), ...repeat('0', 4)],
)
const properties = stating([...repeat('', 6).map(() => 0.1), ...repeat('', 8).map(() => 0.9)])

describe('the split of tasks by a property', () => {
  const split = (values: readonly (number | undefined)[], wanted = 2) => splitByProperty('p', values, wanted)

  it.each([
    ['parts two heaps of values', [0, 0.1, 0.05, 0.9, 1, 1], [0, 1, 2], [3, 4, 5]],
    ['keeps equal values together', [1, 1, 1, 2, 2], [0, 1, 2], [3, 4]],
    ['leaves out tasks that state nothing', [undefined, 1, 3, undefined, 1, 3], [1, 4], [2, 5]],
    ['takes the lower of two equal cuts', [1, 1, 2, 2, 3, 3], [0, 1], [2, 3, 4, 5]],
  ])('%s', (_, values, lower, higher) => {
    expect(split(values)).toMatchObject({ lower: { tasks: lower }, higher: { tasks: higher } })
  })

  it('gives an outlier no group of its own where there is a cut with enough tasks on both sides', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99, 100]
    expect(split(values)?.higher.from).toBe(99)
    expect(split(values, 6)?.higher.tasks.length).toBeGreaterThanOrEqual(6)
  })

  it.each([
    ['all values are equal', [2, 2, 2, 2]],
    ['one task alone differs', [2, 2, 2, 3]],
    ['nothing is stated', [undefined, undefined]],
  ])('does not exist where %s', (_, values) => expect(split(values)).toBeNull())
})

describe('the difference of two groups', () => {
  it("has Welch's t, degrees of freedom, p and limits", () => {
    const lower = [0.5, 0, -0.25, 0.25, 1, 0]
    const higher = [-0.5, 0, 0.25, -1, 0, -0.75, -0.25, 0]
    // scipy 1.17: ttest_ind(higher, lower, equal_var=False)
    const { estimate, se, df, p, lower: from, upper } = groupDifference(lower, higher, 0.95)
    expect((estimate as number) / (se as number)).toBeCloseTo(-2.2323926496, 9)
    expect(df).toBeCloseTo(10.6987526073, 9)
    expect(p).toBeCloseTo(0.0479770789, 9)
    expect(from).toBeCloseTo(-1.0568308445, 9)
    expect(upper).toBeCloseTo(-0.0056691555, 9)
  })

  it.each([
    ['no task', [], [1, 2], 'no-task'],
    ['one task', [1], [1, 2], 'one-task'],
    ['equal values in each group', [1, 1], [0, 0, 0], 'no-spread'],
  ])('has no limits with %s', (_, lower, higher, refusal) => {
    expect(groupDifference(lower, higher, 0.95)).toMatchObject({ lower: null, upper: null, p: null, refusal })
  })

  it('turns round with its groups, in any order of tasks', () => {
    const values = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [one, other] = [
          groupDifference(a, b, 0.9),
          groupDifference(b.toReversed(), a.toReversed(), 0.9),
        ]
        expect(one.estimate).toBeCloseTo(-(other.estimate as number), 12)
        expect(one.p ?? -1).toBeCloseTo(other.p ?? -1, 9)
      }),
    )
  })

  it('is tested by dealing the values to the groups anew', () => {
    // Of the 20 ways to choose three of six values, 2 are as far apart as these.
    expect(permutedGroupsP([1, 2, 3], [11, 12, 14], 'seed')).toBeCloseTo(0.1, 1)
    expect(permutedGroupsP([0, 0, 0], [1, 1, 1], 'seed')).toBeCloseTo(0.1, 1)
    expect(permutedGroupsP([1, 5, 3], [3, 1, 5], 'seed')).toBe(1)
  })
})

describe('differences by property', () => {
  it('are given for both groups, with their change, its test and the tasks', () => {
    const [row, ...more] = compare(records, { baseline: 'b', properties }).byProperty ?? []
    expect(more).toEqual([])
    expect(row).toMatchObject({
      ...{ property: 'decomposability', a: 'a', b: 'b', nUnstated: 0, refusal: null },
      lower: { nTasks: 6, from: 0.1, to: 0.1, estimate: -0.5 },
      higher: { nTasks: 8, from: 0.9, to: 0.9, estimate: 0.5 },
      change: { estimate: 1, refusal: null },
    })
    // Variances 0.3 and 2 / 7: se = sqrt(0.3 / 6 + 2 / 7 / 8).
    expect(row?.change.se).toBeCloseTo(Math.sqrt(0.05 + 1 / 28), 12)
    expect(row?.p).toBeLessThan(0.05)
    expect(row?.adjustedP).toBe(row?.p)
  })

  it('are made only against the baseline, and adjusted over all of its pairs and properties', () => {
    const both = Object.fromEntries(
      Object.entries(properties).map(([task, { decomposability }], i) => [
        task,
        { decomposability: decomposability as number, readingTokens: i % 2 },
      ]),
    )
    const third = trials('c', [...repeat('1', 7), ...repeat('0', 7)])
    const { byProperty = [] } = compare([...records, ...third], { baseline: 'b', properties: both })
    expect(byProperty.map(({ property, a, b }) => `${property} ${a} ${b}`)).toEqual([
      'decomposability a b',
      'decomposability c b',
      'readingTokens a b',
      'readingTokens c b',
    ])
    const smallest = byProperty.reduce((a, b) => ((b.p as number) < (a.p as number) ? b : a))
    expect(smallest.adjustedP).toBeCloseTo(4 * (smallest.p as number), 10)
  })

  it('leave out tasks that state nothing or lack a method, and count them', () => {
    const some = stating([null, ...repeat('', 6).map(() => 1), ...repeat('', 6).map(() => 2), 2])
    const gaps = rows([...repeat('1', 13), '-'], repeat('0', 14))
    expect(compare(gaps, { properties: some }).byProperty).toMatchObject([
      { nUnstated: 1, lower: { nTasks: 6 }, higher: { nTasks: 6 } },
    ])
  })

  it('are one row for properties that split the tasks into the same two groups, whichever is the lower one', () => {
    const mirrored = Object.fromEntries(
      Object.entries(properties).map(([task, { decomposability }]) => [
        task,
        { decomposability: decomposability as number, sequentialDepth: 10 - 9 * (decomposability as number) },
      ]),
    )
    const { byProperty = [] } = compare(records, { properties: mirrored })
    expect(byProperty).toMatchObject([
      { property: 'decomposability', alike: ['sequentialDepth (reversed)'], change: { estimate: 1 } },
    ])
  })

  it.each([
    [
      'too-few-tasks',
      'fewer than six tasks in a group',
      { properties: stating([0, 0, 0, 0, 0, ...repeat('', 9).map(() => 1)]) },
    ],
    ['looked', 'a look before the end', { properties, voided: 'looked' as const }],
    ['unfinished', 'an unfinished run', { properties, voided: 'unfinished' as const }],
  ])('have no p (%s) for %s', (refusal, _, options) => {
    const [row] = compare(records, options).byProperty ?? []
    expect(row).toMatchObject({ p: null, adjustedP: null, refusal })
    expect(row?.change.estimate).not.toBeNull()
    expect(row?.change.lower === null).toBe(refusal === 'looked')
  })

  it('have no p where all tasks differ alike', () => {
    const [row] = compare(rows(repeat('1', 14), repeat('0', 14)), { properties }).byProperty ?? []
    expect(row).toMatchObject({ p: null, refusal: 'no-spread', change: { estimate: 0, lower: null } })
  })

  it('have no p for simulated trials, but estimates and limits', () => {
    const simulated = records.map((record) => ({ ...record, simulated: true }))
    const [row] = compare(simulated, { properties }).byProperty ?? []
    expect(row).toMatchObject({ p: null, refusal: 'simulated', change: { estimate: 1 } })
    expect(row?.change.lower).not.toBeNull()
  })

  it('do not exist where no stated property differs', () => {
    expect(compare(records, {}).byProperty).toBeUndefined()
    expect(compare(records, { properties: stating(low.map(() => 1)) }).byProperty).toBeUndefined()
  })

  it('give the change of spending as a ratio of typical ratios', () => {
    const costing = records.map((record) => {
      const isHigh = Number(record.task.slice(2)) >= 6
      const costUsd = record.method === 'a' ? (isHigh ? 0.02 : 0.04) : 0.01
      return { ...record, spent: { ...record.spent, costUsd, listCostUsd: costUsd } }
    })
    const [row] = compare(costing, { properties }).byProperty ?? []
    expect(row?.spent.costUsd.lower.ratio).toBeCloseTo(4, 10)
    expect(row?.spent.costUsd.higher.ratio).toBeCloseTo(2, 10)
    expect(row?.spent.costUsd.change).toMatchObject({ ratio: expect.closeTo(0.5, 10), refusal: 'no-spread' })
  })
})
