import { type CompareOptions, compareMethods } from '../../../src/analysis/compare/compare.ts'
import type { Comparison } from '../../../src/analysis/compare/comparison.ts'
import { createComparisonData } from '../../../src/analysis/compare/rows.ts'
import { upwardMargins } from '../../../src/analysis/numeric/margins.ts'
import { costPerSuccess } from '../../../src/analysis/ratios/cost-per-success.ts'
import { successRate } from '../../../src/analysis/tasks/success-rate.ts'
import { successValue } from '../../../src/analysis/tasks/task-value.ts'
import { normal, type Random } from '../../../src/base/random.ts'
import { aRecord } from '../../analysis/records.ts'

/** A design of runs, from records to claims. Unless it says otherwise, all methods pass equally often and spend alike. */
export interface RunDesign {
  methods: number
  tasks: number
  epochs: number
  margin?: number
  /** Mean log odds of a pass, 0.6, and the standard deviation of a method's own part in a task's log odds, 0.6. */
  level?: number
  own?: number
  /** Added to the log odds of the first method. */
  effect?: number
  /** Standard deviation of the logarithm of what a trial costs, 0.3; a share of trials costs a hundred times as much. */
  spread?: number
  outliers?: number
  /** The first method's share of tasks that it fails whole, and every method's. */
  loses?: number
  whole?: number
  /** Suites among which tasks are dealt; each task has a property, too. */
  suites?: number
  /** How often each task is entered, under other names, and whether that is stated as its cluster. */
  copies?: number
  clustered?: boolean
  /** The trials that end in an error: a share of those of this kind, of the first method or of all. */
  missing?: { share: number; of: 'failed' | 'passed' | 'dear' | 'hard'; all?: boolean }
}

/** Makes one run of a design and compares it; `options` add to the comparison's. */
function simulateRun(design: RunDesign, random: Random, options: CompareOptions = {}): Comparison {
  const { methods, tasks, epochs, margin = null, suites = 1, copies = 1 } = design
  const data = createComparisonData()
  const clusters: Record<string, string> = {}
  const properties: Record<string, Record<string, number>> = {}
  for (let task = 0; task < tasks; task++) {
    const world = drawTask(design, random)
    for (let copy = 0; copy < copies; copy++) {
      const suite = `s${task % suites}`
      const name = `${suite}/${task}-${copy}`
      if (design.clustered) clusters[name] = String(task)
      if (suites > 1) properties[name] = { size: world.size }
      for (let method = 0; method < methods; method++)
        for (let epoch = 1; epoch <= epochs; epoch++)
          data.add({
            ...drawTrial(design, world, method, random),
            task: name,
            suite,
            epoch,
            trial: `${name}|${method}|${epoch}`,
          })
    }
  }
  return compareMethods(data, {
    ...{ resamples: 2, calibration: true, baseline: 'm0', epochs, margin, clusters, properties },
    methods: Array.from({ length: methods }, (_, method) => `m${method}`),
    ...options,
  })
}

interface DrawnTask {
  size: number
  isHard: boolean
  /** Chance of a pass and mean cost of a trial, by method. */
  rates: number[]
  costs: number[]
}

function drawTask({ methods, level = 0.6, own = 0.6, ...design }: RunDesign, random: Random): DrawnTask {
  const odds = level + normal(random)
  const size = Math.exp(0.6 * normal(random))
  const all = Array.from({ length: methods })
  const lost = (method: number) => random() < ((method === 0 ? design.loses : undefined) ?? design.whole ?? 0)
  const rates = all.map((_, method) => {
    const rate = 1 / (1 + Math.exp(-odds - own * normal(random) - (method === 0 ? (design.effect ?? 0) : 0)))
    return lost(method) ? 0 : rate
  })
  return { size, isHard: odds < 0, rates, costs: all.map(() => 0.02 * size * Math.exp(0.3 * normal(random))) }
}

function drawTrial(design: RunDesign, task: DrawnTask, method: number, random: Random) {
  const { spread = 0.3, outliers = 0, missing } = design
  const passed = random() < (task.rates[method] as number)
  const own = Math.exp(spread * normal(random)) * (random() < outliers ? 100 : 1)
  const cost = (task.costs[method] as number) * own
  const isKind = missing && { failed: !passed, passed, dear: own > 1, hard: task.isHard }[missing.of]
  const isLost = isKind && (method === 0 || missing.all) && random() < missing.share
  const tokens = Math.round(1e8 * cost * Math.exp(0.1 * normal(random)))
  return aRecord({
    method: `m${method}`,
    simulated: true,
    ...(isLost ? { status: 'error' as const } : { passed }),
    spent: { input: tokens, output: 0, costUsd: cost, listCostUsd: cost },
  })
}

/** The families whose claims stand on the first screen. */
const onScreen: readonly string[] = ['success', 'price', 'suites']

/** Counts the runs of equal methods with a false claim of each family, and of any on the first screen. That one is not worse, or equivalent, is true. */
export function countFalseClaims(design: RunDesign, runs: number, random: Random): Record<string, number> {
  return countRuns(design, runs, random, ({ claims }) => {
    const families = claims.flatMap(({ family }) => (family === 'margin' ? [] : [family]))
    return [...families, ...(families.some((family) => onScreen.includes(family)) ? ['any'] : [])]
  })
}

/** Counts the runs of which something is so, by its name. */
export function countRuns(
  design: RunDesign,
  runs: number,
  random: Random,
  namesOf: (comparison: Comparison) => readonly string[],
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let run = 0; run < runs; run++)
    for (const name of new Set(namesOf(simulateRun(design, random)))) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Whether an interval holds a value; a missing limit excludes nothing. */
export const holds = (interval: { lower: number | null; upper: number | null }, value: number) =>
  (interval.lower ?? -Infinity) <= value && value <= (interval.upper ?? Infinity)

/** Counts the runs whose interval of a success rate holds the truth: a share of tasks is lost whole, the others pass at a rate. */
export function countCoveredRates(
  [tasks, epochs, lost, rate]: readonly [number, number, number, number],
  runs: number,
  random: Random,
): number {
  return countTrue(runs, () => {
    const drawn = Array.from({ length: tasks }, () => {
      const chance = random() < lost ? 0 : rate
      return successValue(
        Array.from({ length: epochs }, random).filter((one) => one < chance).length,
        epochs,
        0,
      )
    })
    return holds(successRate(drawn, 0.95), (1 - lost) * rate)
  })
}

/** Returns the share of the intervals of a cost per success that hold the truth, of all that have both limits. */
export function shareOfCoveredPrices(
  [tasks, rate, spread, epochs]: readonly [number, number, number, number],
  runs: number,
  random: Random,
): number {
  const truth = Math.exp(spread ** 2 / 2) / rate
  const intervals = Array.from({ length: runs }, () => {
    const priced = Array.from({ length: tasks }, () => ({
      cost: Math.exp(spread * normal(random)),
      success: Array.from({ length: epochs }, random).filter((one) => one < rate).length / epochs,
    }))
    return costPerSuccess(priced, 0.95, upwardMargins)
  }).filter(({ lower, upper }) => lower !== null && upper !== null)
  return intervals.filter((interval) => holds(interval, truth)).length / intervals.length
}

function countTrue(runs: number, isTrue: () => boolean): number {
  return Array.from({ length: runs }, isTrue).filter(Boolean).length
}
