import type { MethodSummary } from '../../analysis/summary.ts'
import { counted, formatAmount, formatShare, formatUsd } from './numbers.ts'
import { isUseless } from './ratio-text.ts'

type SuccessPrice = MethodSummary['costPerSuccess']

/** Returns the cost per success with its limits, or `>=` for a lower bound; without a success the number of trials. */
export function costPerSuccessText(price: SuccessPrice): string {
  if (price.kind === 'zero-successes')
    return `none in ${counted(price.trials, 'trial')} (${counted(price.tasks, 'task')})`
  const text = formatAmount(amountOf(price), formatUsd)
  if (price.estimate === null || price.lower === null || price.upper === null) return text
  if (isUseless(price.lower, price.upper)) return `${text} (no useful limits)`
  return `${text} [${formatUsd(price.lower, Math.floor).slice(1)}, ${formatUsd(price.upper, Math.ceil).slice(1)}]`
}

/** Returns the cost per success as an amount. */
export const amountOf = ({ estimate, kind }: SuccessPrice) => ({
  value: estimate,
  lowerBound: kind === 'at-least',
})

/** Returns why the interval may be too narrow; empty if there is no such reason. */
export function roughIntervalText({ kind, solvedTasks, largest }: SuccessPrice): string {
  const why =
    solvedTasks < 5
      ? `${counted(solvedTasks, 'task')} solved`
      : largest && `${largest.task} holds ${formatShare(largest.share)}% of the cost`
  return kind === 'bounded' && why ? `the interval of cost per success is rough: ${why}` : ''
}

/** Returns how the cost per success treats graded trials with unknown cost; continues a sentence. Empty without such trials. */
export function uncountedCostText({ kind, dropped }: SuccessPrice, graded: number): string {
  if (dropped === 0) return ''
  return kind === 'at-least'
    ? ', cost per success uses the known costs of all graded trials'
    : `, cost per success leaves out ${dropped} of ${graded} graded trials`
}
