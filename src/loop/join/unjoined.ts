import { costText, counted, formatCount, sumText } from '../../reports/words/numbers.ts'
import { resumeCommand } from '../record/in-blocks.ts'
import { isInUse } from '../record/lock.ts'
import { recordedTrials } from '../record/records.ts'
import { sumRunBill } from '../record/run-bill.ts'
import { verifyLedger } from '../record/verify-ledger.ts'
import { ledgersOf } from './blocks.ts'
import { type BlockDamage, withBlock } from './damaged-block.ts'

const countRecords = (folder: string): number => [...recordedTrials(folder)].length

/**
 * Says what stands in the blocks of a run whose lines the run does not have yet, with the command that joins them, and which of them are damaged;
 * undefined if nothing does. Throws `UserError` if a line of a block is damaged.
 */
export function unjoinedNote(run: string): string | undefined {
  const blocks = ledgersOf(run)
    .slice(1)
    .map((folder) => ({ folder, trials: countRecords(folder), bills: Object.values(sumRunBill(folder)) }))
    .filter(({ trials, bills }) => trials > 0 || bills.some(({ calls }) => calls > 0))
  if (blocks.length === 0) return undefined
  const bills = blocks.flatMap((block) => block.bills)
  const sum = (field: 'calls' | 'input' | 'output' | 'unreportedTokens' | 'unreportedCost') =>
    bills.reduce((total, bill) => total + bill[field], 0)
  const trials = blocks.reduce((total, block) => total + block.trials, 0)
  const known = bills.flatMap(({ costUsd }) => costUsd ?? [])
  const costUsd = known.length === 0 ? null : known.reduce((total, usd) => total + usd, 0)
  const asked = `${counted(sum('calls'), 'call')}, ${sumText(sum('input') + sum('output'), sum('unreportedTokens'), formatCount)} tokens, ${costText(costUsd, sum('unreportedCost'))}`
  const place = `${counted(blocks.length, 'block')} of workers and ${trials === 1 ? 'is' : 'are'} not joined yet`
  const damaged = blocks.flatMap(({ folder }) => damagedText(folder) ?? [])
  return [
    ...damaged,
    `${counted(trials, 'trial')} with a record (${asked}) ${trials === 1 ? 'stands' : 'stand'} in ${place} (${countRecords(run)} joined); to go on and join them, with the database of the run: ${resumeCommand(run)}`,
  ].join(' ')
}

/** Says of a block that nobody writes what is damaged in it, so that the calls of its trials cannot be counted. */
function damagedText(folder: string): string | undefined {
  if (isInUse(folder)) return undefined
  let found: BlockDamage | undefined
  withBlock(
    folder,
    (damage) => {
      found = damage
    },
    () => verifyLedger(folder),
  )
  return found && `calls that were paid are not counted here, as a block is damaged: ${found.what}`
}
