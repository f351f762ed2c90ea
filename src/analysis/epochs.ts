import type { TrialRecord } from '../schema/ledger/record.ts'
import { UserError } from '../text/errors.ts'

/** The epochs of one task under one method that have a record: in a finished run, all from 1 on, and next to none beyond (0 and null: none). */
export interface SeenEpochs {
  upTo: number
  beyond: Set<number> | null
}

/** Notes the record's epoch; throws `UserError` when it was there before: counting a trial twice is false evidence. */
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
    fix: 'Give each run once, and compare runs of one method under two labels.',
  })
