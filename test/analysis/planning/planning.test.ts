import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chiSquaredQuantile, chiSquaredTail } from '../../../src/analysis/numeric/tails.ts'
import {
  mcnemarPlan,
  mcnemarPower,
  mcnemarSampleSize,
} from '../../../src/analysis/planning/mcnemar-planning.ts'
import {
  minimumDetectableEffect,
  normalSampleSize,
  pairedSampleSize,
  pairedTPower,
  pairedTSampleSize,
} from '../../../src/analysis/planning/paired-sample-size.ts'
import { epochsNeeded, predictedSum, tasksNeeded } from '../../../src/analysis/planning/tasks-needed.ts'
import {
  asymptoticConfidenceSequence,
  asymptoticP,
  rhoFor,
} from '../../../src/analysis/sequential/confidence-sequences.ts'
import { takeLook } from '../../../src/analysis/sequential/stop-rule.ts'
import { seededRandom } from '../../../src/base/random.ts'
import type { StopRule } from '../../../src/schema/run/comparison-plan.ts'

const parts = { omega2: 0.04, sigma2A: 0.15, sigma2B: 0.16, epochsA: 3, epochsB: 3 }
const test = { delta: 0.08, alpha: 0.05, power: 0.8 }

describe('the needed tasks and epochs', () => {
  it('are slightly more by the t test than by the normal formula, more at the pilot’s upper limit, fewer with infinite epochs', () => {
    const normal = pairedSampleSize(parts, 0.08, 0.05, 0.8).n
    const { n, nUpper, nEndlessEpochs } = tasksNeeded(parts, 20, test)
    expect(n).toBeGreaterThanOrEqual(normal)
    expect(n).toBeLessThanOrEqual(normal + 3)
    expect(nUpper as number).toBeGreaterThan(1.3 * n)
    expect(nEndlessEpochs).toBe(pairedTSampleSize(0.2, 0.08, 0.05, 0.8).n)
    expect(tasksNeeded(parts, 1, test).nUpper).toBeNull()
    expect(tasksNeeded({ ...parts, omega2: 0, sigma2A: 0, sigma2B: 0 }, 5, test)).toEqual({
      n: 10,
      nUpper: 10,
      nEndlessEpochs: 6,
    })
  })

  it('find the difference they were asked for', () => {
    const { mde } = minimumDetectableEffect(parts, 100, 0.05, 0.8)
    expect(pairedSampleSize(parts, mde, 0.05, 0.8).nExact).toBeCloseTo(100, 8)
    const { epochs } = epochsNeeded(parts, 100, test)
    const withEpochs = (count: number) => ({ ...parts, epochsA: count, epochsB: count })
    expect(pairedSampleSize(withEpochs(epochs as number), 0.08, 0.05, 0.8).n).toBeLessThanOrEqual(100)
    expect(pairedSampleSize(withEpochs((epochs as number) - 1), 0.08, 0.05, 0.8).n).toBeGreaterThan(100)
  })

  it('are refused if no number of epochs is enough', () => {
    expect(epochsNeeded(parts, 40, test)).toEqual({ epochs: null, refusal: 'tasks-not-epochs' })
    expect(mcnemarSampleSize(0.2, 0.2, 0.05, 0.8)).toEqual({ n: null, nExact: null, refusal: 'same-rates' })
  })

  it('reach their power: the t test’s by its own formula, McNemar’s nearly', () => {
    const { n, nExact } = pairedTSampleSize(0.4, 0.15, 0.05, 0.8)
    expect(pairedTPower(0.15 / 0.4, nExact, 0.05)).toBeCloseTo(0.8, 6)
    expect(pairedTPower(0.15 / 0.4, n, 0.05)).toBeGreaterThanOrEqual(0.8)
    expect(pairedTSampleSize(0.01, 5, 0.05, 0.8).n).toBe(2)
    const connor = mcnemarSampleSize(0.3, 0.1, 0.05, 0.8).n as number
    expect(mcnemarPower(0.3, 0.1, connor, 0.05).powerMidP).toBeGreaterThan(0.78)
    expect(mcnemarPower(0.3, 0.1, connor, 0.05).powerMidP).toBeLessThan(0.86)
    const test = { delta: 0.2, alpha: 0.05, power: 0.8 }
    expect(mcnemarPlan(0.4, test)).toEqual({ n: connor, power: expect.closeTo(0.8078, 4) })
    // If the pilot's methods differ on fewer tasks, the formula assumes that they differ on more.
    expect(mcnemarPlan(0.1, test)).toEqual(mcnemarPlan(0.2, test))
    expect(mcnemarPlan(1, { ...test, delta: 0.05 }).power).toBeNull()
  })

  it('are the same by the normal distribution if they are very many', () => {
    for (const power of [0.06, 0.5, 0.8, 0.99])
      for (const effect of [0.02, 0.005]) {
        const { nExact } = pairedTSampleSize(1, effect, 0.05, power)
        expect(Math.abs(normalSampleSize(effect, 0.05, power) - nExact)).toBeLessThan(2)
      }
    const { n } = pairedTSampleSize(0.5, 0.00001, 0.05, 0.8)
    expect(n / 1.9622e10).toBeCloseTo(1, 4)
    // The result has no jump where the formula changes.
    const [just, more] = [0.00281, 0.0028].map((effect) => pairedTSampleSize(1, effect, 0.05, 0.8).nExact)
    expect((more as number) / (just as number)).toBeCloseTo((0.00281 / 0.0028) ** 2, 5)
  })

  it('use the chi-squared quantile, the inverse of its tail', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.integer({ min: 1, max: 400 }),
        (p, df) => {
          expect(1 - chiSquaredTail(chiSquaredQuantile(p, df), df)).toBeCloseTo(p, 7)
        },
      ),
    )
  })
})

describe('a stop rule', () => {
  const rule = (sequence: StopRule['sequence'], comparisons = 1): StopRule => ({
    sequence,
    alpha: 0.05,
    comparisons,
    hopedTasks: 60,
  })
  const clear = Array.from({ length: 80 }, (_, task) => (task % 5 === 4 ? 0 : task % 7 === 3 ? -1 : 1))

  it('settles a clear difference early and reports when, also at later looks', () => {
    for (const sequence of ['mcnemar', 'asymptotic', 'empirical-bernstein'] as const) {
      const last = takeLook(clear, rule(sequence))
      expect(last.settledAt as number).toBeLessThan(80)
      expect(takeLook(clear.slice(0, last.settledAt as number), rule(sequence)).settledAt).toBe(
        last.settledAt,
      )
      expect(takeLook(clear.slice(0, (last.settledAt as number) - 1), rule(sequence)).settledAt).toBeNull()
    }
  })

  it('needs more evidence the more comparisons there are', () => {
    for (const sequence of ['mcnemar', 'asymptotic', 'empirical-bernstein'] as const) {
      const [one, ten] = [takeLook(clear, rule(sequence)), takeLook(clear, rule(sequence, 10))]
      expect(ten.settledAt ?? 81).toBeGreaterThanOrEqual(one.settledAt as number)
    }
  })

  it('does not look before there are enough tasks', () => {
    expect(takeLook([], rule('mcnemar'))).toMatchObject({ settledAt: null, refusal: 'not-yet' })
    expect(takeLook(clear.slice(0, 29), rule('asymptotic'))).toMatchObject({ refusal: 'not-yet', tasks: 29 })
    const same = Array(40).fill(0.5)
    expect(takeLook(same, rule('asymptotic'))).toMatchObject({
      settledAt: null,
      pAnytime: 1,
      refusal: 'no-spread',
    })
  })

  it('gives the reversed answer for B against A', () => {
    const turned = clear.map((value) => -value)
    for (const sequence of ['mcnemar', 'asymptotic', 'empirical-bernstein'] as const) {
      const [one, other] = [takeLook(clear, rule(sequence)), takeLook(turned, rule(sequence))]
      expect(other.settledAt).toBe(one.settledAt)
      if (one.lower !== null) expect(other.upper).toBeCloseTo(-one.lower, 12)
      if (one.pAnytime !== null) expect(other.pAnytime).toBeCloseTo(one.pAnytime, 12)
    }
  })

  it('has an anytime p below alpha exactly if the sequence excludes 0', () => {
    const random = seededRandom('sequence')
    const rho = rhoFor(60, 0.05)
    for (let shift = 0; shift < 0.5; shift += 0.02) {
      const values = Array.from({ length: 60 }, () => random() - 0.5 + shift)
      const { lower } = asymptoticConfidenceSequence(values, 0.05, rho)
      expect(asymptoticP(values, rho) < 0.05).toBe((lower as number) > 0)
    }
    // The sequence is narrowest at the expected stop.
    const width = (at: number) => {
      const values = Array.from({ length: 60 }, (_, index) => index % 2)
      const { lower, upper } = asymptoticConfidenceSequence(values, 0.05, rhoFor(at, 0.05))
      return (upper as number) - (lower as number)
    }
    expect(width(60)).toBeLessThan(width(30))
    expect(width(60)).toBeLessThan(width(120))
  })
})

it('a predicted sum is the mean times the count, with the prediction interval of a normal sample', () => {
  // By hand: mean 3, s^2 = 2.5, t(0.975, 4) = 2.776445, sqrt(2.5 (10 + 100 / 5)) = 8.660254.
  const { middle, range } = predictedSum([1, 2, 3, 4, 5], 10)
  expect(middle).toBe(30)
  expect(range?.low).toBeCloseTo(30 - 2.776445 * 8.660254, 4)
  expect(range?.high).toBeCloseTo(30 + 2.776445 * 8.660254, 4)
})

it('a predicted sum has no range from a single value, and none below 0', () => {
  expect(predictedSum([4], 3)).toEqual({ middle: 12, range: null })
  expect(predictedSum([0, 10], 5).range?.low).toBe(0)
})

it('the range of a predicted sum contains the sum in about 95 of 100 cases', () => {
  const random = seededRandom('predicted sum')
  const draw = () => random() + random() + random() + random()
  let held = 0
  for (let i = 0; i < 2000; i++) {
    const seen = Array.from({ length: 8 }, draw)
    const sum = Array.from({ length: 20 }, draw).reduce((total, value) => total + value, 0)
    const { range } = predictedSum(seen, 20)
    if (range && sum >= range.low && sum <= range.high) held++
  }
  expect(held / 2000).toBeGreaterThan(0.93)
  expect(held / 2000).toBeLessThan(0.97)
})
