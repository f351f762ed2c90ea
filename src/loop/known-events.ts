import { join } from 'node:path'
import { z } from 'zod'
import { parseEntry, readSealed } from './entries.ts'
import { journalFiles } from './journal.ts'

/** What every line of events.jsonl has, whatever else its event tells; of the whole run, the trial is null. */
const EventLine = z.looseObject({ type: z.string(), trial: z.string().nullable(), key: z.string() })

/**
 * Trace events that stand in the file already, as `trial key`, of the trials that are wanted: a trial tells them again as
 * it is answered. Throws `UserError` for a damaged line.
 */
export function knownEvents(folder: string, wanted: (trial: string) => boolean): Set<string> {
  const path = join(folder, journalFiles.events)
  const known = new Set<string>()
  for (const { text, place } of readSealed(path, 'Remove the line from the run folder.')) {
    const { trial, key } = parseEntry(text, EventLine, place)
    if (trial !== null && wanted(trial)) known.add(`${trial} ${key}`)
  }
  return known
}
