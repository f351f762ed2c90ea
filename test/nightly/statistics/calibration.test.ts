import { afterAll, describe, expect, it } from 'vitest'
import { compareMethods } from '../../../src/analysis/compare/compare.ts'
import { testMargins } from '../../../src/analysis/compare/margin-tests.ts'
import { outcomeDifference } from '../../../src/analysis/compare/outcome-difference.ts'
import { createComparisonData } from '../../../src/analysis/compare/rows.ts'
import { skewedMargins, upwardMargins } from '../../../src/analysis/numeric/margins.ts'
import { differenceClaim } from '../../../src/analysis/paired/difference-claim.ts'
import { signFlipTest } from '../../../src/analysis/paired/sign-flip-test.ts'
import { differences } from '../../../src/analysis/paired/task-difference.ts'
import {
  costPerSuccess,
  costPerSuccessRatio,
  jackknifeError,
} from '../../../src/analysis/ratios/cost-per-success.ts'
import { fiellerRatio, geometricMeanRatio, medianRatio } from '../../../src/analysis/ratios/ratio.ts'
import { takeLook } from '../../../src/analysis/sequential/stop-rule.ts'
import { taskMeanInterval } from '../../../src/analysis/tasks/mean-interval.ts'
import { successRate } from '../../../src/analysis/tasks/success-rate.ts'
import { pairedMeans, type TaskValue } from '../../../src/analysis/tasks/task-value.ts'
import { type Random, seededRandom } from '../../../src/base/random.ts'
import type { StopRule } from '../../../src/schema/run/comparison-plan.ts'
import { aRecord } from '../../analysis/records.ts'
import {
  experiment,
  meanTokens,
  type SimulatedMethod,
  truth,
  type World,
} from '../../heavy/statistics/simulated-experiment.ts'
import { tableOf } from '../../helpers/house/tables.ts'

// 1,000 experiments each. A correct procedure is outside these bounds in about one of 200 tests.
const experiments = 1000
const mostFalse = 69
const leastCovered = 931
const options = { confidence: 0.95, seed: 'calibration' }

const worlds: World[] = tableOf(import.meta.url, 'worlds')
const lines: string[] = []
afterAll(() => process.stdout.write(`\n${lines.join('\n')}\n`))

/** How often something is true of an experiment in this world. */
function count(
  world: World,
  methods: number,
  isTrue: (methods: SimulatedMethod[], random: Random) => boolean,
) {
  const random = seededRandom(`calibration/${world.name}/${world.effect ?? 0}`)
  let times = 0
  for (let one = 0; one < experiments; one++) if (isTrue(experiment(world, methods, random), random)) times++
  return times
}
function report(what: string, world: World, times: number): number {
  lines.push(
    `${what}, ${world.name}${world.effect ? `, effect ${world.effect}` : ''}: ${times} of ${experiments}`,
  )
  return times
}
/** Whether an interval contains the value; a missing limit excludes nothing. */
const holds = (interval: { lower: number | null; upper: number | null }, value: number) =>
  (interval.lower ?? -Infinity) <= value && (interval.upper ?? Infinity) >= value
const compareOutcome = ([a, b]: SimulatedMethod[]) =>
  outcomeDifference(a?.success as TaskValue[], b?.success as TaskValue[], options)
const means = (tasks: readonly TaskValue[] | undefined) => (tasks ?? []).map(({ mean }) => mean as number)

describe.each(worlds)('in a world of $name', (world) => {
  it('equal methods are called different at most 69 times in 1,000', () => {
    const times = count(world, 2, (methods) => (compareOutcome(methods).claimP ?? 1) < 0.05)
    expect(report('false claims', world, times)).toBeLessThanOrEqual(mostFalse)
  })

  it.each([0, 0.8])(
    'the interval of the difference holds the truth at least 931 times, effect %d',
    (effect) => {
      const shifted = { ...world, effect }
      const { first, other } = truth(shifted)
      const times = count(shifted, 2, (methods) => holds(compareOutcome(methods), first - other))
      expect(report('difference covered', shifted, times)).toBeGreaterThanOrEqual(leastCovered)
    },
  )

  it('the interval of a success rate holds the truth', () => {
    const { other } = truth(world)
    const times = count(world, 1, ([a]) => holds(successRate(a?.success ?? [], 0.95), other))
    expect(report('success rate covered', world, times)).toBeGreaterThanOrEqual(leastCovered)
  })

  it('the interval of the ratio of tokens holds 1, also where tasks differ a hundredfold in size', () => {
    for (const skew of [0.5, 1.2]) {
      const skewed = { ...world, skew, name: `${world.name}, sizes ${skew}` }
      const times = count(skewed, 2, ([a, b]) => {
        const tokens = pairedMeans(a?.tokens ?? [], b?.tokens ?? [])
        return holds(fiellerRatio(tokens.a, tokens.b, 0.95), 1)
      })
      expect(report('ratio of tokens covered', skewed, times)).toBeGreaterThanOrEqual(leastCovered)
    }
  })

  it('the intervals of the ratio on the typical task hold 1', () => {
    const of = (interval: (x: number[], y: number[]) => { lower: number | null; upper: number | null }) =>
      count(world, 2, ([a, b]) => {
        const tokens = pairedMeans(a?.tokens ?? [], b?.tokens ?? [])
        return holds(interval(tokens.a, tokens.b), 1)
      })
    const geometric = of((x, y) => geometricMeanRatio(x, y, 0.95))
    expect(report('typical ratio covered', world, geometric)).toBeGreaterThanOrEqual(leastCovered)
    const median = of((x, y) => medianRatio(x, y, 0.95))
    expect(report('median ratio covered', world, median)).toBeGreaterThanOrEqual(leastCovered)
  })

  it('the intervals of the mean tokens and of the mean score hold the truth', () => {
    const { other } = truth(world)
    const tokens = count(world, 1, ([a]) =>
      holds(taskMeanInterval(a?.tokens ?? [], 0.95, skewedMargins), meanTokens(world)),
    )
    expect(report('mean tokens covered', world, tokens)).toBeGreaterThanOrEqual(leastCovered)
    const score = count(world, 1, ([a]) =>
      holds(taskMeanInterval(a?.success ?? [], 0.95, skewedMargins), other),
    )
    expect(report('mean score covered', world, score)).toBeGreaterThanOrEqual(leastCovered)
  })

  // Beyond 20 tasks the exact sign flip, which a claim then no longer needs, would take most of the time.
  if (world.tasks <= 20)
    it('no saving is claimed of equal spenders', () => {
      const times = count(world, 2, ([a, b]) => {
        const tokens = pairedMeans(a?.tokens ?? [], b?.tokens ?? [])
        const values = differences(tokens.a, tokens.b)
        return (differenceClaim(values, () => signFlipTest(values, 'calibration')).claimP ?? 1) < 0.05
      })
      expect(report('false claims about tokens', world, times)).toBeLessThanOrEqual(mostFalse)
    })

  it('the intervals of the cost per success and of its ratio hold the truth', () => {
    const { other } = truth(world)
    const one = count(world, 1, ([a]) => {
      const result = costPerSuccess(
        (a?.priced ?? []).filter((task) => task !== null),
        0.95,
        upwardMargins,
      )
      return holds(result, meanTokens(world) / other)
    })
    expect(report('cost per success covered', world, one)).toBeGreaterThanOrEqual(leastCovered)
    const both = count(world, 2, ([a, b]) =>
      holds(costPerSuccessRatio(a?.priced ?? [], b?.priced ?? [], 0.95, jackknifeError), 1),
    )
    expect(report('ratio of costs per success covered', world, both)).toBeGreaterThanOrEqual(leastCovered)
  })

  it('a method that is worse by just the margin is seldom called no worse, or equivalent', () => {
    const shifted = { ...world, effect: -0.8 }
    const { first, other } = truth(shifted)
    const tests = ([a, b]: SimulatedMethod[]) => {
      return testMargins([{ a: a?.success ?? [], b: b?.success ?? [] }], other - first, 0.05)[0]
    }
    // One-sided at 2.5%: 41 of 1,000 at the same odds as 69 at 5%.
    const notWorse = count(shifted, 2, (methods) => tests(methods)?.notWorse.a.holds ?? false)
    expect(report('falsely no worse', shifted, notWorse)).toBeLessThanOrEqual(41)
    const equivalent = count(shifted, 2, (methods) => tests(methods)?.equivalent.holds ?? false)
    expect(report('falsely equivalent', shifted, equivalent)).toBeLessThanOrEqual(mostFalse)
  })
})

describe('of five equal methods', () => {
  const world = worlds[1] as World
  it('some pair is called different in at most 69 of 1,000 experiments, from records to verdicts', {
    timeout: 300_000,
  }, () => {
    const times = count({ ...world, tasks: 15, epochs: 2 }, 5, (methods) => {
      const comparisonData = createComparisonData()
      for (const [index, { success }] of methods.entries())
        for (const [task, { mean, trials }] of success.entries())
          for (let epoch = 1; epoch <= trials; epoch++)
            comparisonData.add(
              aRecord({
                method: `m${index}`,
                task: `s/${task}`,
                epoch,
                passed: epoch <= Math.round((mean as number) * trials),
                simulated: true,
              }),
            )
      const { pairs, family } = compareMethods(comparisonData, { resamples: 2, calibration: true })
      expect(family.size).toBe(10)
      return pairs.some(({ verdict }) => verdict?.word === 'better')
    })
    expect(
      report('false claims in a family of ten', { ...world, name: '15 tasks, 2 epochs' }, times),
    ).toBeLessThanOrEqual(mostFalse)
  })
})

describe('looked at after every task', () => {
  it.each([
    ['mcnemar', worlds[0]],
    ['asymptotic', { ...worlds[5], tasks: 120 }],
    ['empirical-bernstein', worlds[1]],
  ] as [StopRule['sequence'], World][])('%s stops falsely in at most 69 of 1,000 runs', (sequence, world) => {
    const rule: StopRule = { sequence, alpha: 0.05, comparisons: 1, hopedTasks: 60 }
    const times = count(world, 2, ([a, b]) => {
      const values = differences(means(a?.success), means(b?.success))
      return takeLook(values, rule).settledAt !== null
    })
    expect(report(`false stops by ${sequence}`, world, times)).toBeLessThanOrEqual(mostFalse)
  })
})
