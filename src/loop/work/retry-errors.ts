import { formatProblem, type Problem } from '../../text/errors.ts'
import { dropRecords, readRecords } from '../record/records.ts'
import { findBrokenTrials } from '../record/verify-ledger.ts'
import { voidTrials } from '../record/void-trials.ts'

/** Numbers of records before trials are run again, and of those that stay. */
export interface Retry {
  before: number
  kept: number
}

/** Trials that are run again. */
export interface RetriedTrials {
  trials: ReadonlySet<string>
  /** How many of them had a record that did not match their steps. */
  broken: number
}

/**
 * Makes trials run again that ended in error, or whose record does not match their steps: voids their steps, which stay
 * in the bill, and drops their records. Returns the trials. The voids are synced before the records are dropped, and the
 * records are dropped in one write, so that after a crash in between the same trials are found again. `onRetry` is called
 * before, unless no trial is run again.
 */
export async function retryErrors(
  folder: string,
  onRetry: (retry: Retry) => void = () => {},
): Promise<RetriedTrials> {
  const reasons = new Map<string, string>()
  const broken = [...findBrokenTrials(folder).keys()]
  for (const trial of broken) reasons.set(trial, 'its record did not follow from its steps')
  let before = 0
  for (const { trial, outcome } of readRecords(folder)) {
    before++
    if (outcome.status === 'error' && !reasons.has(trial))
      reasons.set(trial, `it ended in error: ${outcome.reason}`)
  }
  const retried = { trials: new Set(reasons.keys()), broken: broken.length }
  if (reasons.size === 0) return retried
  onRetry({ before, kept: before - reasons.size })
  await voidTrials(folder, reasons)
  dropRecords(folder, reasons)
  return retried
}

/** Returns the notes to print about them; `lost` describes missing lines of the ledger. */
export function describeRetries({ trials, broken }: RetriedTrials, lost: Problem | undefined): string[] {
  const notes: string[] = []
  const inBill = 'their cost stays in the bill, as void'
  if (broken > 0)
    notes.push(`${broken} trial(s) had a record that did not match their steps and are run again; ${inBill}`)
  if (trials.size > broken)
    notes.push(`${trials.size - broken} trial(s) ended in error and are run again; ${inBill}`)
  if (lost && broken === 0) {
    const { where, what } = lost
    notes.push(
      `${formatProblem({ where, what })} The calls of these lines are missing from the bill, and calls of unfinished trials are made again.`,
    )
  } else if (trials.size === 0) notes.push('no trial of this run ended in error; nothing to run again')
  return notes
}
