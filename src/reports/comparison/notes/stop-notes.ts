import type { Comparison, MethodEstimates } from '../../../analysis/compare/comparison.ts'
import { counted, formatUsd } from '../../words/numbers.ts'
import type { ComparisonFacts, RunFacts } from '../facts.ts'

const rules = {
  mcnemar: 'McNemar e-process, uniform mixture',
  'empirical-bernstein': 'empirical Bernstein confidence sequence',
  asymptotic: 'asymptotic confidence sequence from 30 tasks on, approximate',
} as const

/** Returns notes on a run that stopped before its end: by a limit, or by which stop rule. */
export function stopNotes({ stop, methods }: Comparison, { runs }: Pick<ComparisonFacts, 'runs'>): string[] {
  const byLimit = runs
    .filter(({ stoppedByLimit }) => stoppedByLimit)
    .map(
      ({ recorded, planned }) =>
        `A limit of the run stopped it after ${recorded} of ${planned} trials; the results did not.`,
    )
  if (!stop) return byLimit
  const { rule, looks, settledAt } = stop
  const name = `${rules[rule.sequence]}, alpha ${rule.alpha} over ${counted(rule.comparisons, 'comparison')}, a look after every finished task in the plan's random order`
  return [
    ...byLimit,
    settledAt === null
      ? `Stop rule fixed before the run: ${name}. Not settled after ${counted(looks, 'task')}.`
      : `Stop rule fixed before the run: ${name}. All pairs were settled after task ${settledAt}; only the tasks up to it count, and estimates at an early stop are too extreme. ${sparedText(methods, runs)}`,
  ]
}

/** Returns the estimated cost of the trials that were not run, at the means of the methods. */
function sparedText(methods: readonly MethodEstimates[], runs: readonly RunFacts[]): string {
  const left = runs.reduce((sum, { planned, recorded }) => sum + planned - recorded, 0)
  const costs = methods.map(({ spent }) => spent.costUsd.mean.estimate)
  const each = costs.reduce<number | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + cost / costs.length),
    0,
  )
  const money = each === null ? 'at an unknown price' : `about ${formatUsd(left * each)}`
  return `Not run, as planned: ${counted(left, 'trial')}, ${money}.`
}
