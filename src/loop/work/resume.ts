import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../text/errors.ts'
import { journalFiles } from '../journal/journal.ts'
import type { Plan } from '../plan/plan.ts'
import { recordedTrials } from '../record/records.ts'
import { createLedgerVerifier, type LedgerVerifier } from '../record/verify-ledger.ts'

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
