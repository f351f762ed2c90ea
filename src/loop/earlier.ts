import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Trial } from '../schema/trial.ts'
import { journalFiles } from './journal.ts'
import { recordedTrials } from './records.ts'

/** The places in the plan of the records that are there already, in the order of the file. */
export function recorded(
  folder: string,
  plan: readonly Trial[],
): { order: number[]; isDone(place: number): boolean } {
  const ids = [...recordedTrials(folder)]
  if (ids.length === 0) return { order: [], isDone: () => false }
  const places = new Map(plan.map(({ id }, place) => [id, place]))
  const order = ids.map((id, i) => {
    const place = places.get(id)
    if (place !== undefined) return place
    throw new UserError({
      where: `${join(folder, journalFiles.records)}:${i + 1}`,
      what: `is of no trial of this run: ${id}`,
      fix: 'Remove the line.',
    })
  })
  const done = new Set(order)
  return { order, isDone: (place) => done.has(place) }
}

/** An earlier session left something in the journal. */
export function isBegun(folder: string): boolean {
  return Object.values(journalFiles).some((file) => statSync(join(folder, file)).size > 0)
}
