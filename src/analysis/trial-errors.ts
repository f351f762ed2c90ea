import type { TrialRecord } from '../schema/ledger/record.ts'

/** Trials that ended in error for one reason. */
export interface TrialErrors {
  /** The reason of an ask's failure, such as `key`; `other` for any other fault. */
  reason: string
  trials: number
  /** What the first of these trials was told. */
  first: string
}

/** Adds a trial if it ended in error. */
export function addTrialError(errors: TrialErrors[], { outcome }: Pick<TrialRecord, 'outcome'>): void {
  if (outcome.status !== 'error') return
  const [, reason = 'other', first = outcome.reason] =
    /^([a-z]+(?:-[a-z]+)*): (.*)$/s.exec(outcome.reason) ?? []
  const known = errors.find((one) => one.reason === reason)
  if (known) known.trials++
  else errors.push({ reason, trials: 1, first })
}
