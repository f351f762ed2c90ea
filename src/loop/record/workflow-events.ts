import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../../base/grouping.ts'
import {
  GraphEvent,
  type GraphTrace,
  graphEventTypes,
  MachineEvent,
} from '../../schema/ledger/graph-event.ts'
import type { TraceEvent } from '../../strategy.ts'
import { journalFiles } from '../journal/journal.ts'
import { type LinePlace, parseLine, parseObject, readJournalLines } from '../journal/jsonl.ts'

const remedy = 'Remove the line from the run folder.'

/** Reads the traces of graphs from events.jsonl, by trial. Throws `UserError` for a damaged line. */
export function readGraphTraces(
  folder: string,
  wanted: (trial: string) => boolean,
): ReadonlyMap<string, GraphTrace[]> {
  const parse = (text: string, place: LinePlace) =>
    mayBeOfGraph(text) ? parseLine(text, GraphEvent, place) : undefined
  const traces = readEvents(folder, wanted, parse)
  return new Map([...traces].map(([trial, events]) => [trial, byGraph(events)]))
}

/** The type is the first field of such a line or its second: other lines need not be parsed. */
function mayBeOfGraph(text: string): boolean {
  const type = /"type":"([A-Za-z]+)"/.exec(text)?.[1]
  return type !== undefined && graphEventTypes.has(type) && text.includes('"version":')
}

function byGraph(events: ReadonlyMap<string, GraphEvent>): GraphTrace[] {
  const graphs = groupBy(events.values(), ({ key }) => key.slice(0, key.lastIndexOf('!')))
  return [...graphs].map(([path, events]) => ({ path, events }))
}

const mayBeOfMachine = /"type":"(?:transition|circuit_break|orchestrator_decision)"/

/** Reads the trace events of workflows of states by trial. Throws `UserError` for a damaged line. */
export function readMachineEvents(
  folder: string,
  wanted: (trial: string) => boolean,
): ReadonlyMap<string, MachineEvent[]> {
  // Methods of users may write events of these names with other fields.
  const parse = (text: string, place: LinePlace) =>
    mayBeOfMachine.test(text) ? MachineEvent.safeParse(parseObject(text, place)).data : undefined
  const events = readEvents(folder, wanted, parse)
  return new Map([...events].map(([trial, own]) => [trial, [...own.values()]]))
}

/** The fields that every line of events.jsonl has; `trial` is null for events of the whole run. */
const EventLine = z.looseObject({ type: z.string(), trial: z.string().nullable(), key: z.string() })

/** Reads the trace events of the wanted trials, as `trial key`, so that a resumed trial does not write them again. */
export function readRecordedEvents(folder: string, wanted: (trial: string) => boolean): Set<string> {
  const parse = (text: string, place: LinePlace) => {
    const { trial, key } = parseLine(text, EventLine, place)
    return trial === null ? undefined : { trial, key }
  }
  const trials = readEvents(folder, wanted, parse)
  return new Set([...trials].flatMap(([trial, events]) => [...events.keys()].map((key) => `${trial} ${key}`)))
}

/** Reads the events of trials by their keys, of a trial that ran again those since then. */
function readEvents<Event extends { trial: string; key: string }>(
  folder: string,
  wanted: (trial: string) => boolean,
  parse: (text: string, place: LinePlace) => Event | undefined,
): Map<string, Map<string, Event>> {
  const path = join(folder, journalFiles.events)
  const trials = new Map<string, Map<string, Event>>()
  if (!existsSync(path)) return trials
  for (const { text, place } of readJournalLines(path, remedy)) {
    const again = rerunTrial(text, place)
    if (again !== undefined) trials.delete(again)
    const event = parse(text, place)
    if (!event || !wanted(event.trial)) continue
    const known = trials.get(event.trial)
    // Older runs have no event for a trial that ran again.
    if (!known || known.has(event.key)) trials.set(event.trial, new Map([[event.key, event]]))
    else known.set(event.key, event)
  }
  return trials
}

/** The event with which the trace of a trial begins again: the keys of its events before it may follow once more. */
export const rerunEvent: TraceEvent = { type: 'rerun' }

/** Its key; no event of a method has it. */
export const rerunKey = '!rerun'

const RerunLine = z.object({ type: z.literal('rerun'), trial: z.string(), key: z.literal(rerunKey) })

/** Returns the trial whose trace begins again with a line of events.jsonl; undefined for any other line. */
function rerunTrial(text: string, place: LinePlace): string | undefined {
  if (!text.includes(`"${rerunKey}"`)) return undefined
  return RerunLine.safeParse(parseObject(text, place)).data?.trial
}
