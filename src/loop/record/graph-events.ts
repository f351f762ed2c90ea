import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { GraphEvent, type GraphTrace, graphEventTypes } from '../../schema/ledger/graph-event.ts'
import { journalFiles } from '../journal/journal.ts'
import { parseLine, readJournalLines } from '../journal/jsonl.ts'
import { rerunTrial } from './rerun-event.ts'

const remedy = 'Remove the line from the run folder.'

/** Reads the traces of graphs from events.jsonl, by trial. Throws `UserError` for a damaged line. */
export function readGraphTraces(
  folder: string,
  wanted: (trial: string) => boolean,
): ReadonlyMap<string, GraphTrace[]> {
  const path = join(folder, journalFiles.events)
  const traces = new Map<string, Map<string, GraphEvent>>()
  if (existsSync(path))
    for (const { text, place } of readJournalLines(path, remedy)) {
      const again = rerunTrial(text, place)
      if (again !== undefined) traces.delete(again)
      if (!mayBeOfGraph(text)) continue
      const event = parseLine(text, GraphEvent, place)
      if (!wanted(event.trial)) continue
      const known = traces.get(event.trial)
      // Older runs have no event for a trial that ran again.
      if (!known || known.has(event.key)) traces.set(event.trial, new Map([[event.key, event]]))
      else known.set(event.key, event)
    }
  return new Map([...traces].map(([trial, events]) => [trial, byGraph(events)]))
}

/** The type is the first field of such a line or its second: other lines need not be parsed. */
function mayBeOfGraph(text: string): boolean {
  const type = /"type":"([A-Za-z]+)"/.exec(text)?.[1]
  return type !== undefined && graphEventTypes.has(type) && text.includes('"version":')
}

function byGraph(events: ReadonlyMap<string, GraphEvent>): GraphTrace[] {
  const graphs = new Map<string, GraphEvent[]>()
  for (const [key, event] of events) {
    const path = key.slice(0, key.lastIndexOf('!'))
    const one = graphs.get(path)
    if (one) one.push(event)
    else graphs.set(path, [event])
  }
  return [...graphs].map(([path, events]) => ({ path, events }))
}
