import { afterAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../../../src/analysis/compare/comparison.ts'
import { seededRandom } from '../../../src/base/random.ts'
import {
  clusteredTasks,
  equalMethods,
  missingTrials,
  powers,
  pricesOfFewTasks,
  ratesNearCeiling,
  worseByMargin,
} from '../../heavy/statistics/run-designs.ts'
import {
  countCoveredRates,
  countFalseClaims,
  countRuns,
  holds,
  type RunDesign,
  shareOfCoveredPrices,
} from '../../heavy/statistics/simulated-runs.ts'

// Correct procedures are outside of these bounds in about one of 200 designs.
const runs = 1000
const mostFalse = 68
const mostFalseOfTwo = 110
const mostFalseOneSided = 41

const lines: string[] = []
afterAll(() => process.stdout.write(`\n${lines.join('\n')}\n`))

const draws = (design: unknown) => seededRandom(`runs/${JSON.stringify(design)}`)

function count(design: RunDesign, namesOf: (comparison: Comparison) => readonly string[]) {
  const counts = countRuns(design, runs, draws(design), namesOf)
  lines.push(`${JSON.stringify(design)}: ${JSON.stringify(counts)} of ${runs}`)
  return counts
}

describe('from records to claims', { timeout: 3_600_000 }, () => {
  it.each([...equalMethods, ...missingTrials])('equal methods are seldom told apart: %j', (design) => {
    const { any = 0, ...families } = countFalseClaims(design, runs, draws(design))
    lines.push(`${JSON.stringify(design)}: ${JSON.stringify({ any, ...families })} of ${runs}`)
    for (const [family, times] of Object.entries(families))
      expect(times, family).toBeLessThanOrEqual(mostFalse)
    expect(any).toBeLessThanOrEqual(mostFalseOfTwo)
  })

  it.each(clusteredTasks)('tasks that are entered several times count once: %j', (design) => {
    const { better = 0, ...covered } = count(design, ({ pairs }) =>
      pairs.flatMap(({ verdict, outcome, costPerSuccess, spent }) => [
        ...(verdict?.word === 'better' ? ['better'] : []),
        ...(holds(outcome, 0) ? ['difference'] : []),
        ...(holds(costPerSuccess, 1) ? ['price'] : []),
        ...(holds(spent.costUsd.ratio, 1) ? ['spending'] : []),
      ]),
    )
    expect(better).toBeLessThanOrEqual(mostFalse)
    for (const what of ['difference', 'price', 'spending'])
      expect(covered[what], what).toBeGreaterThanOrEqual(0.93 * runs)
  })

  it.each(worseByMargin)('a method that is worse by the margin is seldom called no worse: %j', (design) => {
    // The baseline is B, and it is the worse one.
    const { notWorse = 0, equivalent = 0 } = count(design, ({ pairs }) =>
      pairs.flatMap((pair) => [
        ...(pair.notWorse.b.holds ? ['notWorse'] : []),
        ...(pair.equivalent.holds ? ['equivalent'] : []),
      ]),
    )
    expect(notWorse).toBeLessThanOrEqual(mostFalseOneSided)
    expect(equivalent).toBeLessThanOrEqual(mostFalse)
  })

  // At most three points fewer than before, and the three standard errors of what was counted then and now.
  it.each(powers)('what was found is still found: %j', ({ found, before, ...design }) => {
    const counts = count(design, ({ pairs }) =>
      pairs.flatMap(({ verdict, notWorse, equivalent }) => [
        ...(verdict?.word === 'better' && verdict.method === 'm0' ? ['better'] : []),
        ...(notWorse.a.holds ? ['notWorse'] : []),
        ...(equivalent.holds ? ['equivalent'] : []),
      ]),
    )
    expect((counts[found] ?? 0) / runs).toBeGreaterThanOrEqual(
      before - 0.03 - 3 * Math.sqrt(0.25 / runs + 0.25 / 150),
    )
  })
})

it.each(ratesNearCeiling)(
  'a success rate near the ceiling is covered: %d tasks, %d epochs, %d lost whole, %d passed',
  (...design) => {
    const covered = countCoveredRates(design, 4 * runs, draws(design))
    lines.push(`success rate ${design}: covered ${covered} of ${4 * runs}`)
    expect(covered).toBeGreaterThanOrEqual(0.93 * 4 * runs)
  },
)

it.each(pricesOfFewTasks)(
  'the cost per success of few tasks is covered: %d tasks, %d solved, spread %d, %d epochs',
  (...design) => {
    const covered = shareOfCoveredPrices(design, 4 * runs, draws(design))
    lines.push(`cost per success ${design}: covered ${(100 * covered).toFixed(1)}%`)
    expect(covered).toBeGreaterThanOrEqual(0.94)
  },
)
