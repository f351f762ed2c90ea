import { describe, expect, it } from 'vitest'
import { testMargins } from '../../../src/analysis/compare/margin-tests.ts'
import { outcomeInterval } from '../../../src/analysis/compare/outcome-difference.ts'
import { successValue, type TaskValue } from '../../../src/analysis/tasks/task-value.ts'
import { falseMarginClaims, type MarginDesign } from '../margin-designs.ts'
import { compare, onlyPair, repeat, trials } from './compared.ts'

const tables = [12, 25, 50, 100].flatMap((tasks) =>
  [0, 1, 2, 5].flatMap((lostByA) => [0, 1, 3].map((lostByB) => [tasks, lostByA, lostByB] as const)),
)

/** A task with one score. */
const score = (mean: number): TaskValue => ({ mean, trials: 1, missing: 0, squares: 0 })

describe('a claim against the margin', () => {
  it('is not made on 12 tasks near the ceiling, whatever the t test says', () => {
    const a = trials('a', repeat('1111', 12))
    const b = trials('b', ['1110', ...repeat('1111', 11)])
    const { notWorse, equivalent, verdict } = onlyPair(compare([...a, ...b], { margin: 0.1 }))
    expect(equivalent.adjustedP as number).toBeLessThan(0.05)
    expect(equivalent).toMatchObject({ holds: false, guard: { kind: 'newcombe-majorities', holds: false } })
    expect(notWorse.b.holds).toBe(false)
    expect(verdict).toEqual({ word: 'not-established' })
  })

  it('is made on 60 such tasks', () => {
    const rows = ['1110', ...repeat('1111', 59)]
    const records = [...trials('a', repeat('1111', 60)), ...trials('b', rows)]
    const { equivalent, notWorse } = onlyPair(compare(records, { margin: 0.1 }))
    expect(equivalent.holds && notWorse.a.holds && notWorse.b.holds).toBe(true)
  })

  it.each([0.04, 0.08, 0.12, 0.16, 0.2])(
    'never contradicts the printed interval of one epoch, margin %d',
    (margin) => {
      const wholly = (task: number, from: number, lost: number) =>
        task >= from && task < from + lost ? 0 : 1
      for (const [tasks, lostByA, lostByB] of tables) {
        const places = Array.from({ length: tasks }, (_, task) => task)
        const a = places.map((task) => successValue(wholly(task, 0, lostByA), 1, 0))
        const b = places.map((task) => successValue(wholly(task, lostByA, lostByB), 1, 0))
        const { lower, upper } = outcomeInterval(a, b, 0.95) as { lower: number; upper: number }
        const [tests] = testMargins([{ a, b }], margin, 0.05)
        if (tests?.notWorse.a.holds) expect(lower).toBeGreaterThan(-margin)
        if (tests?.notWorse.b.holds) expect(upper).toBeLessThan(margin)
        if (tests?.equivalent.holds) expect(Math.max(-lower, upper)).toBeLessThan(margin)
      }
    },
  )

  it('counts a whole loss that was not seen where every task varies a little', () => {
    const rows = repeat('1111111110', 20)
    const turned = rows.map((_, task) => (task % 2 === 0 ? '1111111111' : '1111111100'))
    const { notWorse } = onlyPair(compare([...trials('a', rows), ...trials('b', turned)], { margin: 0.1 }))
    expect(notWorse.b.p as number).toBeLessThan(0.01)
    expect(notWorse.b).toMatchObject({ holds: false, guard: { kind: 'whole-losses', holds: false } })
  })

  it.each([
    ['10 points', 0.1, 36],
    ['5 points', 0.05, 72],
  ])('needs at %s so many tasks that whole losses would be among them', (_, margin, enough) => {
    const holds = (tasks: number) => {
      const scores = Array.from({ length: tasks }, (__, task) => score(task % 2 === 0 ? 0.999 : 1))
      const [tests] = testMargins([{ a: scores, b: scores.toReversed() }], margin, 0.05)
      return tests?.notWorse.a
    }
    expect(holds(enough)?.holds).toBe(true)
    expect(holds(enough - 2)).toMatchObject({ holds: false, guard: { kind: 'whole-losses' } })
  })

  it('shares the level of its guards over the pairs that are tested', () => {
    const scores = Array.from({ length: 40 }, (_, task) => score(task % 2 === 0 ? 0.999 : 1))
    const pair = { a: scores, b: scores.toReversed() }
    const few = { a: scores.slice(0, 5), b: scores.slice(0, 5) }
    const limits = (pairs: (typeof pair)[]) => testMargins(pairs, 0.1, 0.05)[0]?.notWorse.a.guard?.limit
    expect(limits([pair])).toBeCloseTo(-0.9995 * (1 - 0.025 ** (1 / 40)), 10)
    expect(limits([pair, pair, pair])).toBeCloseTo(-0.9995 * (1 - (0.025 / 3) ** (1 / 40)), 10)
    expect(limits([pair, few])).toBe(limits([pair]))
  })

  it('needs no guard where differences of tasks are as large as a loss', () => {
    const a = Array.from({ length: 40 }, (_, task) => (task % 2 === 0 ? '10' : '01'))
    const b = Array.from({ length: 40 }, (_, task) => ['00', '11', '10'][task % 3] as string)
    expect(
      onlyPair(compare([...trials('a', a), ...trials('b', b)], { margin: 0.3 })).notWorse.a.guard,
    ).toBeNull()
  })
})

// 400 runs each: a correct test at 2.5% is above 22 of them, and one at 5% above 36, in about one of 200 tests.
const designs: MarginDesign[] = [
  { tasks: 15, epochs: 3, rate: 0.97, margin: 0.1, depth: 1 },
  { tasks: 20, epochs: 10, rate: 0.9, margin: 0.1, depth: 1 },
  { tasks: 60, epochs: 5, rate: 1, margin: 0.07, depth: 0.15 },
  { tasks: 60, epochs: 1, rate: 0.98, margin: 0.08, depth: 1 },
  { tasks: 40, epochs: 3, rate: 0.99, hard: { share: 0.4, rate: 0.01 }, margin: 0.1, depth: 0.99 },
  { tasks: 30, epochs: 1, rate: 0.9, spread: 0.05, margin: 0.1, depth: 1 },
]
it.each(designs)('a method that is worse by the margin is seldom called no worse: %o', (design) => {
  const { notWorse, equivalent } = falseMarginClaims(design, 400, testMargins)
  expect(notWorse).toBeLessThanOrEqual(22)
  expect(equivalent).toBeLessThanOrEqual(36)
})
