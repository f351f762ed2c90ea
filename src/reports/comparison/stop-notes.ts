import type { Comparison, MethodEstimates } from '../../analysis/compare/comparison.ts'
import { counted, formatUsd } from '../words/numbers.ts'
import type { ComparisonFacts, RunFacts } from './facts.ts'

const rules = {
  mcnemar: 'McNemar e-process, uniform mixture',
  'empirical-bernstein': 'empirical Bernstein confidence sequence',
  asymptotic: 'asymptotic confidence sequence from 30 tasks on, approximate',
} as const

/** Whether the run stopped before its plan was whole, and under which rule. */
export function stopNotes({ stop, methods }: Comparison, { runs }: ComparisonFacts): string[] {
  const byLimit = runs
    .filter(({ stoppedByLimit }) => stoppedByLimit)
    .map(
      ({ recorded, planned }) =>
        `A limit of the run, not its results, stopped it after ${recorded} of ${planned} trials.`,
    )
  if (!stop) return byLimit
  const { rule, looks, settledAt } = stop
  const name = `${rules[rule.sequence]}, alpha ${rule.alpha} over ${counted(rule.comparisons, 'comparison')}, a look after every finished task in the plan's random order`
  return [
    ...byLimit,
    settledAt === null
      ? `Stop rule fixed before the run: ${name}. Not settled after ${counted(looks, 'task')}.`
      : `Stop rule fixed before the run: ${name}. All pairs were settled after task ${settledAt}; only the tasks up to it count, and estimates at an early stop lie too far out. ${savedText(methods, runs)}`,
  ]
}

/** What the trials that were not run would have cost, at the methods' means. */
function savedText(methods: readonly MethodEstimates[], runs: readonly RunFacts[]): string {
  const left = runs.reduce((sum, { planned, recorded }) => sum + planned - recorded, 0)
  const costs = methods.map(({ spent }) => spent.costUsd.mean.estimate)
  const each = costs.reduce<number | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + cost / costs.length),
    0,
  )
  const money = each === null ? 'at a price that is not known' : `about ${formatUsd(left * each)}`
  return `Saved: ${counted(left, 'trial')}, ${money}.`
}
