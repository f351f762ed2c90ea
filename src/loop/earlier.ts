import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Trial } from '../schema/trial.ts'
import { createLedgerCheck, type LedgerCheck } from './check-ledger.ts'
import { journalFiles } from './journal.ts'
import { recordedTrials } from './records.ts'

/** The places in the plan of the records that are there already, in the order of the file, and what holds them against the ledger. */
export function recorded(
  folder: string,
  plan: readonly Trial[],
): { order: number[]; isDone(place: number): boolean; check: LedgerCheck } {
  const trials = [...recordedTrials(folder)]
  const check = createLedgerCheck(folder, trials)
  if (trials.length === 0) return { order: [], isDone: () => false, check }
  const places = new Map(plan.map(({ id }, place) => [id, place]))
  const order = trials.map(({ trial: id, where }) => {
    const place = places.get(id)
    if (place !== undefined) return place
    throw new UserError({
      where,
      what: `is of no trial of this run: ${id}`,
      fix: 'Remove the line.',
    })
  })
  const done = new Set(order)
  return { order, isDone: (place) => done.has(place), check }
}

/** An earlier session left something in the journal. */
export function isBegun(folder: string): boolean {
  return Object.values(journalFiles).some((file) => statSync(join(folder, file)).size > 0)
}
