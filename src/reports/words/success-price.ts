import type { MethodSummary } from '../../analysis/summary.ts'
import { counted, formatAmount, formatUsd } from './numbers.ts'

type SuccessPrice = MethodSummary['costPerSuccess']

/** The cost per success with its limits, marked where it is a lower bound; without a success in how many trials there was none. */
export function costPerSuccessText(price: SuccessPrice): string {
  if (price.kind === 'zero-successes')
    return `none in ${counted(price.trials, 'trial')} (${counted(price.tasks, 'task')})`
  const text = formatAmount(amountOf(price), formatUsd)
  if (price.estimate === null || price.lower === null || price.upper === null) return text
  return `${text} [${formatUsd(price.lower, Math.floor).slice(1)}, ${formatUsd(price.upper, Math.ceil).slice(1)}]`
}

/** The cost per success as an amount like the others. */
export const amountOf = ({ estimate, kind }: SuccessPrice) => ({
  value: estimate,
  lowerBound: kind === 'at-least',
})

/** Why its interval may be too narrow; nothing where it is not known to be. */
export function roughIntervalText({ kind, solvedTasks, largest }: SuccessPrice): string {
  const why =
    solvedTasks < 5
      ? `${counted(solvedTasks, 'task')} solved`
      : largest && `${largest.task} holds ${Math.round(100 * largest.share)}% of the cost`
  return kind === 'bounded' && why ? `the interval of cost per success is rough: ${why}` : ''
}

/** What it makes of graded trials whose cost is not known, to be said after what else leaves them out. */
export function uncountedCostText({ kind, dropped }: SuccessPrice, graded: number): string {
  if (dropped === 0) return ''
  return kind === 'at-least'
    ? ', cost per success counts what is known of all graded trials'
    : `, cost per success leaves out ${dropped} of ${graded} graded trials`
}
