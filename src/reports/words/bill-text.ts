import type { MethodSummary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import type { Spending } from '../../schema/tokens.ts'
import {
  costText,
  counted,
  formatAmount,
  formatCount,
  formatPercent,
  formatSigned,
  formatUsd,
  isUseless,
  present,
  sumText,
} from './numbers.ts'

/** Returns the price table with version and day, and whether prices of the user come first, with their day and source. */
export function pricesText({ table, file }: RunPrices): string {
  const origin = present([file?.date && `of ${file.date}`, file?.source && `from ${file.source}`]).join(' ')
  const own = file ? `your own prices${origin && ` ${origin}`}` : ''
  if (!table) return own || 'no prices'
  return `${table.name} ${table.version} of ${table.date}${own && `, after ${own}`}`
}

/** Returns the costs that agents reported and the computed ones: `agents report $0.020 for 3 calls; our prices give $0.018 (+11.1%)`. */
export function reportedText({
  calls,
  costUsd,
  computedUsd,
}: {
  calls: number
  costUsd: number
  computedUsd: number
}): string {
  const difference =
    computedUsd === 0 ? '' : ` (${formatSigned((100 * (costUsd - computedUsd)) / computedUsd)}%)`
  return `agents report ${formatUsd(costUsd)} for ${counted(calls, 'call')}; our prices give ${formatUsd(computedUsd)}${difference}`
}

/** Returns `, $0.12 at list prices`, the bill with nothing cached; empty if it equals the bill. */
export function listPriceText({
  costUsd,
  unreportedCost,
  listCostUsd,
  unknownListCost = 0,
}: Pick<Spending, 'costUsd' | 'unreportedCost' | 'listCostUsd' | 'unknownListCost'>): string {
  if (listCostUsd === undefined || (listCostUsd === costUsd && unknownListCost === unreportedCost)) return ''
  if (listCostUsd === null) return ', list price unknown'
  return `, ${unknownListCost > 0 ? '>= ' : ''}${formatUsd(listCostUsd)} at list prices`
}

/** Says how many calls may have been charged twice; an empty list if none. */
export function paidTwiceTexts({ paidTwice = 0 }: { paidTwice?: number }): string[] {
  if (paidTwice === 0) return []
  return [
    `${counted(paidTwice, 'call')} may have been charged twice: lost in a crash, or made again; ${paidTwice === 1 ? 'it is' : 'they are'} in the run's bill as void, and in no row`,
  ]
}

/**
 * Returns the bill of a run in lines of text, by payer. Payers without calls are left out, except the methods. `cutOff` says which
 * calls have no result.
 */
export function billText(bill: Readonly<Record<string, Spending>>, cutOff?: string): string {
  const words: Record<string, string> = {
    method: 'methods',
    grading: 'grading',
    void: 'void (voided, or lost in a crash)',
  }
  const lines = Object.entries(bill).flatMap(([payer, spending]) => {
    const { calls, input, output, costUsd, unreportedTokens, unreportedCost } = spending
    if (calls === 0 && payer !== 'method') return []
    const cost = costText(costUsd, unreportedCost)
    const unreported = unreportedTokens > 0 ? `, ${counted(unreportedTokens, 'call')} not reported` : ''
    return present([
      `  ${words[payer] ?? payer}: ${counted(calls, 'call')}, ${sumText(input + output, unreportedTokens, formatCount)} tokens, ${cost}${listPriceText(spending)}${unreported}`,
      spending.reported && `    ${reportedText(spending.reported)}`,
    ])
  })
  return `Bill of the run\n${present([...lines, cutOff !== undefined && `  ${cutOff}`]).join('\n')}\n`
}

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
      : largest && `${largest.task} holds ${formatPercent(largest.share)} of the cost`
  return kind === 'bounded' && why ? `the interval of cost per success is rough: ${why}` : ''
}

/** Returns how the cost per success treats graded trials with unknown cost; continues a sentence. Empty without such trials. */
export function uncountedCostText({ kind, dropped }: SuccessPrice, graded: number): string {
  if (dropped === 0) return ''
  return kind === 'at-least'
    ? ', cost per success uses the known costs of all graded trials'
    : `, cost per success leaves out ${dropped} of ${graded} graded trials`
}
