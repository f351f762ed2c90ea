import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  GraphEvent,
  type GraphTrace,
  graphEventTypes,
  MachineEvent,
} from '../../schema/ledger/graph-event.ts'
import type { TraceEvent } from '../../strategy.ts'
import { journalFiles } from '../journal/journal.ts'
import { parseLine, parseObject, readJournalLines } from '../journal/jsonl.ts'

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

/** The event with which the trace of a trial begins again: the keys of its events before it may follow once more. */
export const rerunEvent: TraceEvent = { type: 'rerun' }

/** Its key; no event of a method has it. */
export const rerunKey = '!rerun'

const RerunLine = z.object({ type: z.literal('rerun'), trial: z.string(), key: z.literal(rerunKey) })

/** Returns the trial whose trace begins again with a line of events.jsonl; undefined for any other line. */
export function rerunTrial(text: string, place: Parameters<typeof parseObject>[1]): string | undefined {
  if (!text.includes(`"${rerunKey}"`)) return undefined
  return RerunLine.safeParse(parseObject(text, place)).data?.trial
}
