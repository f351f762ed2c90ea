import { valueAt } from '../../base/grouping.ts'
import { GraphEvent, type GraphTrace, graphEventTypes } from '../../schema/ledger/graph-event.ts'
import type { TraceEvent } from '../../strategy.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { placeFor } from '../graph/schedule.ts'

/** Collects the events of a trial's graphs, as they would be in events.jsonl, while it is replayed. */
export function collectGraphEvents() {
  let byPath = new Map<string, GraphEvent[]>()
  return {
    event(trial: string, key: string, event: TraceEvent): void {
      if (!graphEventTypes.has(event.type) || !('version' in event)) return
      const path = key.slice(0, key.lastIndexOf('!'))
      valueAt(byPath, path, () => []).push(GraphEvent.parse({ ...event, trial, key }))
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

interface Span {
  /** The place of its beginning in the trace. */
  place: number
  startedAt: number
  ended?: { at: number; goOn: boolean; place: number }
}

type Of<Type extends GraphEvent['type']> = Extract<GraphEvent, { type: Type }>

/**
 * Checks the trace of one graph against the rules of its scheduler and returns every breach, each as `step "x": fact`. It knows
 * only the events, in the order in which they were written: each step begins after what it depends on has ended; of the steps
 * that may begin, the one with the smallest id is first, in the slot that was free first; never more run than may; a join
 * names only what has ended. In dev mode (`byClock`) steps end in the order of the clock, ties by id.
 */
export function checkSchedule(events: readonly GraphEvent[], { byClock }: { byClock: boolean }): string[] {
  const problems: string[] = []
  const report = (step: string, fact: string) => void problems.push(`step "${step}" ${fact}`)
  const spans = new Map<string, Span>()
  const running = new Set<string>()
  const released: number[] = []
  const order = readyOrder(events)
  let unused: number | undefined
  let begin = 0
  let decided: string | undefined
  let stopped = false

  const decide = (event: Of<'SchedulerDecision'>, place: number) => {
    const { step, ready, running: count, concurrency, slotFree, at } = event
    if (unused === undefined) {
      unused = concurrency
      begin = slotFree
    }
    if (stopped) report(step, 'began after a failure that ends the graph')
    if (count !== running.size + 1) report(step, `began as number ${count}, but ${running.size} others run`)
    if (count > concurrency) report(step, `began as number ${count}; at most ${concurrency} may run`)
    const free = unused > 0 ? begin : released[0]
    if (slotFree !== free)
      report(step, `took a slot free since ${slotFree} ms, not the first one (${free} ms)`)
    if (at < slotFree) report(step, `began at ${at} ms, before its slot was free (${slotFree} ms)`)
    if (unused > 0) unused--
    else released.shift()
    const first = order.take(place, step)
    if (first !== undefined && first < step)
      report(step, `began before "${first}", which was ready, too, and has the smaller id`)
    if (ready[0] !== step) report(step, `began, but "${ready[0]}" was first among the ready steps`)
    decided = step
  }

  const start = ({ step, after, at }: Of<'StepStart'>, place: number) => {
    if (decided !== step) report(step, 'began without a decision of the scheduler')
    if (spans.has(step)) report(step, 'began twice')
    for (const need of after) {
      const ended = spans.get(need)?.ended
      if (!ended) report(step, `began before "${need}", which it depends on, had ended`)
      else if (ended.at > at)
        report(step, `began at ${at} ms; "${need}", which it depends on, ended at ${ended.at} ms`)
      else if (!ended.goOn) report(step, `began although "${need}", which it depends on, gave nothing`)
    }
    spans.set(step, { place, startedAt: at })
    running.add(step)
    decided = undefined
  }

  const end = ({ step, at, durationMs }: Of<'StepEnd' | 'StepFail'>, place: number, goOn: boolean) => {
    const span = spans.get(step)
    if (!span || !running.delete(step)) report(step, 'ended, but was not running')
    released.splice(
      placeFor(released, at, (one) => one),
      0,
      at,
    )
    if (!span) return
    span.ended = { at, goOn, place }
    if (Math.abs(span.startedAt + durationMs - at) > 1e-6)
      report(step, `ended at ${at} ms, but began at ${span.startedAt} ms and took ${durationMs} ms`)
  }

  events.forEach((event, place) => {
    const { type, step } = event
    if (type === 'SchedulerDecision') decide(event, place)
    else if (type === 'StepStart') start(event, place)
    else if (type === 'StepEnd') end(event, place, true)
    else if (type === 'StepFail') {
      end(event, place, event.reaction === 'continue')
      stopped ||= event.reaction === 'stop'
    } else if (type === 'StepSkip' && spans.has(step)) report(step, 'was skipped, but began')
    else if (type === 'PatternJoin')
      for (const one of event.joins) {
        if (!spans.get(one)?.ended) report(step, `joins "${one}", which had not ended`)
      }
  })
  if (byClock) checkClock(spans, report)
  return problems
}

/** In dev mode, of the steps that run the first on the clock ends first, ties by id. */
function checkClock(spans: ReadonlyMap<string, Span>, report: (step: string, fact: string) => void): void {
  const ends = [...spans].flatMap(([step, { place, ended }]) =>
    ended ? [{ step, began: place, ...ended }] : [],
  )
  ends.sort((a, b) => a.place - b.place)
  ends.forEach((one, i) => {
    for (let at = i - 1; at >= 0; at--) {
      const before = ends[at] as typeof one
      if (before.place < one.began) break
      if (before.at < one.at || (before.at === one.at && before.step < one.step)) continue
      report(one.step, `ended at ${one.at} ms, but after "${before.step}", which ended at ${before.at} ms`)
      break
    }
  })
}

/** The steps of a trace that began, by when they were ready. */
function readyOrder(events: readonly GraphEvent[]) {
  const places = new Map<string, number>()
  const made: { step: string; readyAt: number }[] = []
  events.forEach((event, place) => {
    if (event.type === 'StepEnd' || event.type === 'StepFail') places.set(event.step, place)
    if (event.type === 'StepsAdded') for (const { id } of event.steps) places.set(`added ${id}`, place)
    if (event.type !== 'StepStart') return
    const needs = [`added ${event.step}`, ...event.after].map((need) => places.get(need) ?? -1)
    made.push({ step: event.step, readyAt: Math.max(...needs) })
  })
  made.sort((a, b) => a.readyAt - b.readyAt)
  const ready: string[] = []
  let next = 0
  return {
    /** Takes a step at the place of its decision. Returns the smallest id that was ready then. */
    take(place: number, step: string): string | undefined {
      for (let one = made[next]; one && one.readyAt < place; one = made[++next])
        ready.splice(
          placeFor(ready, one.step, (id) => id),
          0,
          one.step,
        )
      const [first] = ready
      const at = ready.indexOf(step)
      if (at >= 0) ready.splice(at, 1)
      return first
    },
  }
}
