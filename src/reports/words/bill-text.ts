import type { Spending } from '../../schema/tokens.ts'
import { costText, counted, formatCount, formatUsd, sumText } from './numbers.ts'
import { reportedText } from './prices-text.ts'

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
    return [
      `  ${words[payer] ?? payer}: ${counted(calls, 'call')}, ${sumText(input + output, unreportedTokens, formatCount)} tokens, ${cost}${listPriceText(spending)}${unreported}`,
      ...(spending.reported ? [`    ${reportedText(spending.reported)}`] : []),
    ]
  })
  return `Bill of the run\n${[...lines, ...(cutOff === undefined ? [] : [`  ${cutOff}`])].join('\n')}\n`
}
