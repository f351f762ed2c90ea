import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MachineEvent } from '../../schema/ledger/machine-event.ts'
import { journalFiles } from '../journal/journal.ts'
import { parseObject, readJournalLines } from '../journal/jsonl.ts'
import { rerunTrial } from './rerun-event.ts'

const remedy = 'Remove the line from the run folder.'

const mayBeOfMachine = /"type":"(?:transition|circuit_break|orchestrator_decision)"/

/** Reads the trace events of workflows of states by trial. Throws `UserError` for a damaged line. */
export function readMachineEvents(
  folder: string,
  wanted: (trial: string) => boolean,
): ReadonlyMap<string, MachineEvent[]> {
  const path = join(folder, journalFiles.events)
  const events = new Map<string, Map<string, MachineEvent>>()
  if (existsSync(path))
    for (const { text, place } of readJournalLines(path, remedy)) {
      const again = rerunTrial(text, place)
      if (again !== undefined) events.delete(again)
      if (!mayBeOfMachine.test(text)) continue
      // Methods of users may write events of these names with other fields.
      const { data: event } = MachineEvent.safeParse(parseObject(text, place))
      if (!event || !wanted(event.trial)) continue
      const known = events.get(event.trial)
      // Older runs have no event for a trial that ran again.
      if (!known || known.has(event.key)) events.set(event.trial, new Map([[event.key, event]]))
      else known.set(event.key, event)
    }
  return new Map([...events].map(([trial, own]) => [trial, [...own.values()]]))
}
