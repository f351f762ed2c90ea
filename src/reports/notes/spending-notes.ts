import type { Amount, MethodSummary, Summary } from '../../analysis/summary.ts'
import { confidenceName } from '../tables/method-columns.ts'
import { paidTwiceTexts } from '../words/bill-text.ts'
import { counted, formatUsd } from '../words/numbers.ts'
import { roughIntervalText, uncountedCostText } from '../words/success-price.ts'
import { groupByText } from './group-by-text.ts'

/** Says how spending is averaged, and how the cost per success is computed. */
export function spendingTexts(summary: Summary): string[] {
  const hasLimits = summary.methods.some(
    ({ costPerSuccess: { lower, upper } }) => lower !== null && upper !== null,
  )
  const limits = hasLimits
    ? `, with a ${confidenceName(summary)} delta-method interval over tasks, wider above where costs are skewed`
    : ''
  return [
    `Tokens (input and output), cost, calls and checks are means per trial with equal weight for each task; iterations and time are medians over tasks. Cost per success: cost of all graded trials over their successes${limits}.`,
  ]
}

/** Returns notes on spending that is unknown, rough, or in no row. */
export function spendingNotes(summary: Summary): string[] {
  const level = confidenceName(summary)
  return [
    ...paidTwiceTexts(summary),
    ...groupByText(summary, summary.methods, ({ costPerSuccess: price }) =>
      price.kind === 'zero-successes' && price.lower !== null && price.lower > 0
        ? `no success; one costs at least ${formatUsd(price.lower)} (${level})`
        : '',
    ),
    ...groupByText(summary, summary.methods, ({ costPerSuccess }) => roughIntervalText(costPerSuccess)),
    ...groupByText(summary, summary.methods, unreportedText),
    ...groupByText(summary, summary.methods, ({ gradingCostUsd }) =>
      gradingCostUsd ? `grading cost ${formatUsd(gradingCostUsd)}, which is in no row` : '',
    ),
  ]
}

function unreportedText({ unreported, trials, costPerSuccess, tokens, cost }: MethodSummary): string {
  const calls = [
    unreported.tokenCalls > 0 ? `tokens of ${counted(unreported.tokenCalls, 'call')}` : '',
    unreported.costCalls > 0 ? `costs of ${counted(unreported.costCalls, 'call')}` : '',
  ].filter(Boolean)
  if (calls.length === 0) return ''
  const sums: Amount[] = [
    ...(unreported.tokenCalls > 0 ? [tokens.total] : []),
    ...(unreported.costCalls > 0 ? [cost.perTrial] : []),
  ]
  const consequences = [
    ...(sums.some(({ value }) => value !== null) ? ['>= marks a lower bound'] : []),
    ...(sums.some(({ value }) => value === null) ? ['nothing is known of a sum'] : []),
  ]
  return `${calls.join(' and ')} were not reported, so ${consequences.join(', or ')}; ratios to other methods leave those trials out${uncountedCostText(costPerSuccess, trials.graded)}`
}
