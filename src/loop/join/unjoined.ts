import { costText, counted, formatCount, sumText } from '../../reports/words/numbers.ts'
import { resumeCommand } from '../record/in-blocks.ts'
import { recordedTrials } from '../record/records.ts'
import { sumRunBill } from '../record/run-bill.ts'
import { ledgersOf } from './blocks.ts'

/**
 * Says what stands in the blocks of a run whose lines the run does not have yet, with the command that joins them; undefined if nothing does.
 * Throws `UserError` if a block is damaged.
 */
export function unjoinedNote(run: string): string | undefined {
  const [, ...blocks] = ledgersOf(run)
  const bills = blocks.length === 0 ? [] : Object.values(sumRunBill(...blocks))
  const sum = (field: 'calls' | 'input' | 'output' | 'unreportedTokens' | 'unreportedCost') =>
    bills.reduce((total, bill) => total + bill[field], 0)
  const trials = blocks.reduce((total, block) => total + [...recordedTrials(block)].length, 0)
  const calls = sum('calls')
  if (calls === 0 && trials === 0) return undefined
  const known = bills.flatMap(({ costUsd }) => costUsd ?? [])
  const costUsd = known.length === 0 ? null : known.reduce((total, usd) => total + usd, 0)
  const asked = `${counted(calls, 'call')}, ${sumText(sum('input') + sum('output'), sum('unreportedTokens'), formatCount)} tokens, ${costText(costUsd, sum('unreportedCost'))}`
  return `${counted(trials, 'trial')} with a record (${asked}) ${trials === 1 ? 'stands' : 'stand'} in ${counted(blocks.length, 'block')} of workers, whose lines ${run} does not have yet; to go on and join them: ${resumeCommand(run)}`
}
