import { GraphEvent, type GraphTrace, graphEventTypes } from '../../schema/ledger/graph-event.ts'
import type { TraceEvent } from '../../strategy.ts'
import { canonicalJson } from '../../text/canonical-json.ts'

/** Collects the events of a trial's graphs, as they would be in events.jsonl, while it is replayed. */
export function collectGraphEvents() {
  let byPath = new Map<string, GraphEvent[]>()
  return {
    event(trial: string, key: string, event: TraceEvent): void {
      if (!graphEventTypes.has(event.type) || !('version' in event)) return
      const path = key.slice(0, key.lastIndexOf('!'))
      const events = byPath.get(path) ?? []
      events.push(GraphEvent.parse({ ...event, trial, key }))
      byPath.set(path, events)
    },
    /** Returns the events since the last call, by the path of their graph. */
    take(): ReadonlyMap<string, readonly GraphEvent[]> {
      const taken = byPath
      byPath = new Map()
      return taken
    },
  }
}

/**
 * Returns the first event of a recorded trace that its replay does not write; undefined if there is none. A crash may have cut off
 * the last events, and a graph that lost a `first` writes none on replay: only what both have is compared.
 */
export function traceDifference({ events }: GraphTrace, now: readonly GraphEvent[] = []): string | undefined {
  for (const [i, is] of now.entries()) {
    const was = events[i]
    if (!was) return undefined
    if (was.key !== is.key) return `the event ${is.key} is missing (${is.type} of step "${is.step}")`
    const differing = differences(was, is)
    if (differing.length > 0) return `step "${is.step}", ${is.type}: ${differing.join('; ')}`
  }
  return undefined
}

function differences(was: GraphEvent, is: GraphEvent): string[] {
  const [before, after] = [fieldsOf(was), fieldsOf(is)]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} was ${before[name] ?? 'not there'}, now ${after[name] ?? 'not there'}`)
}

const fieldsOf = (event: GraphEvent): Record<string, string> =>
  Object.fromEntries(Object.entries(event).map(([name, value]) => [name, canonicalJson(value)]))
