import { formatProblem, type Problem } from '../../text/errors.ts'
import { dropRecords, readRecords } from '../record/records.ts'
import { findBrokenTrials } from '../record/verify-ledger.ts'
import { voidTrials } from '../record/void-trials.ts'

/** The trials that are to be run again. */
export interface TakenBack {
  trials: ReadonlySet<string>
  /** Those among them whose record did not follow from their steps. */
  broken: number
}

/**
 * Takes back the trials of a run folder that ended in error, and those whose record does not follow from their steps, so
 * that they are run again: their steps no longer answer but stay in the bill as void, and their records go. Gives the ids
 * of both kinds. The voids are durable before a record goes, and
 * the records go at one stroke: a crash in between leaves them in error, to be taken back again.
 */
export async function takeBackErrors(folder: string): Promise<TakenBack> {
  const reasons = new Map<string, string>()
  const broken = [...findBrokenTrials(folder).keys()]
  for (const trial of broken) reasons.set(trial, 'its record did not follow from its steps')
  for (const { trial, outcome } of readRecords(folder))
    if (outcome.status === 'error' && !reasons.has(trial))
      reasons.set(trial, `it ended in error: ${outcome.reason}`)
  const taken = { trials: new Set(reasons.keys()), broken: broken.length }
  if (reasons.size === 0) return taken
  await voidTrials(folder, reasons)
  dropRecords(folder, reasons)
  return taken
}

/** What is said of them; `lost`: of lines of the ledger that are gone. */
export function takenBackNotes({ trials, broken }: TakenBack, lost: Problem | undefined): string[] {
  const notes: string[] = []
  const inBill = 'what they cost stays in the bill, as void'
  if (broken > 0)
    notes.push(
      `${broken} trial(s) had a record that did not follow from their steps and are run again; ${inBill}`,
    )
  if (trials.size > broken)
    notes.push(`${trials.size - broken} trial(s) ended in error and are run again; ${inBill}`)
  if (lost && broken === 0) {
    const { where, what } = lost
    notes.push(
      `${formatProblem({ where, what })} The calls of these lines stand on no bill, and those of unfinished trials are made again.`,
    )
  } else if (trials.size === 0)
    notes.push('no trial of this run ended in error: there is nothing to run again')
  return notes
}
