import type { TrialRecord } from '../schema/ledger/record.ts'
import { UserError } from '../text/errors.ts'

/** The epochs of one task and method that have a record: all from 1 to `upTo` (0: none), and those of `beyond`. */
export interface SeenEpochs {
  upTo: number
  beyond: Set<number> | null
}

/** Adds the epoch of the record. Throws `UserError` if it is already there, since a trial must not count twice. */
export function addEpoch(seen: SeenEpochs, record: TrialRecord): void {
  const { epoch } = record
  const next = seen.upTo + 1
  if (epoch === next && seen.beyond === null) {
    seen.upTo = epoch
    return
  }
  const beyond = seen.beyond ?? new Set()
  if ((epoch > 0 && epoch < next) || beyond.has(epoch)) throw duplicateEpochError(record)
  beyond.add(epoch)
  while (beyond.delete(seen.upTo + 1)) seen.upTo++
  seen.beyond = beyond.size === 0 ? null : beyond
}

const duplicateEpochError = ({ trial, epoch, method, task }: TrialRecord) =>
  new UserError({
    where: `record ${trial}`,
    what: `epoch ${epoch} of ${method} on ${task} occurs twice`,
    fix: 'Name each run once. To compare two runs of one method, give them different labels.',
  })
