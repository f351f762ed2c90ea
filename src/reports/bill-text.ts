import type { Spending } from '../schema/tokens.ts'
import { counted, formatCount, formatUsd } from './numbers.ts'

/** A run's whole bill in lines of text: who pays what. Parties that nobody asked for are left out. */
export function billText(bill: Readonly<Record<string, Spending>>): string {
  const words: Record<string, string> = {
    method: 'methods',
    grading: 'grading',
    void: 'void (taken back, or lost in a crash)',
  }
  const lines = Object.entries(bill).flatMap(
    ([payer, { calls, input, output, costUsd, unreportedTokens, unreportedCost }]) => {
      if (calls === 0 && payer !== 'method') return []
      const cost =
        costUsd === null ? 'cost unknown' : `${unreportedCost > 0 ? '>= ' : ''}${formatUsd(costUsd)}`
      const unreported = unreportedTokens > 0 ? `, ${counted(unreportedTokens, 'call')} not reported` : ''
      return [
        `  ${words[payer] ?? payer}: ${counted(calls, 'call')}, ${formatCount(input + output)} tokens, ${cost}${unreported}`,
      ]
    },
  )
  return `Bill of the run\n${lines.join('\n')}\n`
}
