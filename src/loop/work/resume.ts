import { statSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblem, type Problem, UserError } from '../../text/errors.ts'
import { journalFiles } from '../journal/journal.ts'
import type { Plan } from '../plan/plan.ts'
import { dropRecords, readRecords, recordedTrials } from '../record/records.ts'
import { voidTrials } from '../record/repair.ts'
import { createLedgerVerifier, findBrokenTrials, type LedgerVerifier } from '../record/verify-ledger.ts'

/** Finds the places in the plan of the existing records, in the order of the file, and creates their check against the ledger. */
export function findRecordedPlaces(
  folder: string,
  plan: Plan,
): { order: number[]; isDone(place: number): boolean; check: LedgerVerifier } {
  const trials = [...recordedTrials(folder)]
  const check = createLedgerVerifier(folder, trials)
  if (trials.length === 0) return { order: [], isDone: () => false, check }
  const places = new Map<string, number>()
  for (let place = 0; place < plan.length; place++) places.set(plan.at(place).id, place)
  const order = trials.map(({ trial: id, where }) => {
    const place = places.get(id)
    if (place !== undefined) return place
    throw new UserError({
      where,
      what: `names a trial that is not in this run: ${id}`,
      fix: 'Remove the line.',
    })
  })
  const done = new Set(order)
  return { order, isDone: (place) => done.has(place), check }
}

/** Lists the ids of all trials of the plan, and of those that are not done. */
export function listTrialIds(
  plan: Plan,
  isDone: (place: number) => boolean,
): Record<'planned' | 'wanted', ReadonlySet<string>> {
  const [planned, wanted] = [new Set<string>(), new Set<string>()]
  for (let place = 0; place < plan.length; place++) {
    const { id } = plan.at(place)
    planned.add(id)
    if (!isDone(place)) wanted.add(id)
  }
  return { planned, wanted }
}

/** Whether an earlier session left entries in the journal. */
export function hasJournalEntries(folder: string): boolean {
  return Object.values(journalFiles).some((file) => statSync(join(folder, file)).size > 0)
}

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
