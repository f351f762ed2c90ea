import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import {
  clusteredTasks,
  equalMethods,
  missingTrials,
  pricesOfFewTasks,
  ratesNearCeiling,
} from './run-designs.ts'
import { countCoveredRates, countFalseClaims, shareOfCoveredPrices } from './simulated-runs.ts'

// A tenth of what test/nightly/statistics/false-claims.test.ts makes, of the designs that are fast. Beyond these bounds is one of
// some 500 counts of a correct procedure.
const runs = 100
const mostFalse = 12
const mostFalseOfTwo = 20
const draws = (design: unknown) => seededRandom(`tenth/${JSON.stringify(design)}`)
const small = [...equalMethods, ...missingTrials, ...clusteredTasks].filter(
  ({ methods, tasks, epochs, suites }) => methods <= 4 && tasks * epochs <= 60 && suites === undefined,
)

it.each(small)('equal methods are seldom told apart, from records to claims: %j', (design) => {
  const { any = 0, ...families } = countFalseClaims(design, runs, draws(design))
  for (const [family, times] of Object.entries(families)) expect(times, family).toBeLessThanOrEqual(mostFalse)
  expect(any).toBeLessThanOrEqual(mostFalseOfTwo)
})

it('success rates near the ceiling, and costs per success of few tasks, are covered', () => {
  const rates = ratesNearCeiling.map((design) => countCoveredRates(design, 4 * runs, draws(design)))
  expect(Math.min(...rates)).toBeGreaterThanOrEqual(0.9 * 4 * runs)
  const prices = pricesOfFewTasks.map((design) => shareOfCoveredPrices(design, 4 * runs, draws(design)))
  expect(Math.min(...prices)).toBeGreaterThanOrEqual(0.91)
})
