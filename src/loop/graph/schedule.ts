import type { GraphStep } from '../../graph.ts'
import type { Context } from '../branch/trial-state.ts'

// biome-ignore lint/suspicious/noExplicitAny: a step gives any value
export type Step = GraphStep<Context, any>

interface ScheduledStep {
  id: string
  after: readonly string[]
}

/** Where a step stands. `skipped` steps never begin, because a step that they need gave nothing. */
type StepStatus = 'waiting' | 'running' | 'done' | 'failed' | 'skipped'

/** A step in its graph. */
export interface PlannedStep<Step extends ScheduledStep = ScheduledStep> {
  step: Step
  /** Fixed when the step is added; names it in closures. */
  index: number
  /** Place in the plan: what is joined in plan order is joined in this order. */
  place: number
  status: StepStatus
  /** The steps that it waits for, in plan order once it begins. */
  needs: PlannedStep<Step>[]
  neededBy: PlannedStep<Step>[]
  /** All steps that it depends on, directly or not; complete once it begins. */
  closure: Closure
  /** How many of its needs have not ended. */
  open: number
}

/** A step that may begin, among those that might, in a slot. */
export interface Started<Step extends ScheduledStep> {
  planned: PlannedStep<Step>
  /** When the slot was free, ms. */
  from: number
  /** The first of the steps that might begin, by id. */
  ready: string[]
  readyCount: number
}

const namedReady = 8

/** The order of a graph's steps: who may begin, in which slot, and when. */
export interface Schedule<Step extends ScheduledStep> {
  /** All steps, in plan order. */
  readonly steps: readonly PlannedStep<Step>[]
  /** Takes the next step that may begin and the slot that it takes; undefined while none may. */
  start(): Started<Step> | undefined
  /** Ends a step and frees its slot at `clock`. With `goOn` the steps that need it may begin, else they are skipped: those are returned. */
  end(planned: PlannedStep<Step>, status: 'done' | 'failed', clock: number, goOn: boolean): Skipped<Step>[]
  /** No further step begins. */
  stop(): void
  /** Inserts steps right behind one that has ended. The steps in `before`, which must not have begun, wait for them, too. */
  insert(behind: PlannedStep<Step>, steps: readonly Step[], before: readonly string[]): PlannedStep<Step>[]
  find(id: string): PlannedStep<Step> | undefined
}

/** A step that will not begin, and the step before it that failed or was skipped. */
interface Skipped<Step extends ScheduledStep = ScheduledStep> {
  planned: PlannedStep<Step>
  because: string
}

/**
 * Creates the schedule of a graph. Among the steps that may begin, the one with the smallest id is first; it takes the slot that
 * was free first. `steps` must name only steps before them in `after`; the caller has checked that, and that ids are unique.
 */
export function createSchedule<Step extends ScheduledStep>(
  given: readonly Step[],
  concurrency: number,
  begin: number,
): Schedule<Step> {
  const steps: PlannedStep<Step>[] = []
  const byId = new Map<string, PlannedStep<Step>>()
  const ready: PlannedStep<Step>[] = []
  // Slots that were used and are free again, by when; those never used are free since the graph began.
  const released: number[] = []
  let unused = concurrency
  let added = 0
  let stopped = false

  const plan = (step: Step): PlannedStep<Step> => {
    const needs = [...new Set(step.after)].map((id) => byId.get(id) as PlannedStep<Step>)
    const open = needs.filter(({ status }) => status === 'waiting' || status === 'running').length
    const planned: PlannedStep<Step> = {
      ...{ step, needs, open, index: added++, place: 0, status: 'waiting', neededBy: [] },
      closure: [],
    }
    for (const need of needs) need.neededBy.push(planned)
    byId.set(step.id, planned)
    return planned
  }
  const renumber = (from: number) => {
    for (let place = from; place < steps.length; place++) (steps[place] as PlannedStep<Step>).place = place
  }
  const makeReady = (planned: PlannedStep<Step>) =>
    ready.splice(placeFor(ready, planned.step.id, idOf), 0, planned)

  for (const step of given) steps.push(plan(step))
  renumber(0)
  for (const planned of steps) if (planned.open === 0) makeReady(planned)

  const skipBehind = (failed: PlannedStep<Step>) => {
    const skipped: Skipped<Step>[] = []
    const left = [failed]
    for (let by = left.pop(); by; by = left.pop())
      for (const planned of by.neededBy) {
        if (planned.status !== 'waiting') continue
        planned.status = 'skipped'
        skipped.push({ planned, because: by.step.id })
        left.push(planned)
      }
    return skipped.sort((a, b) => a.planned.place - b.planned.place)
  }
  return {
    steps,
    start() {
      if (stopped || (unused === 0 && released.length === 0)) return undefined
      const readyCount = ready.length
      const named = ready.slice(0, namedReady).map(({ step }) => step.id)
      const planned = ready.shift()
      if (!planned) return undefined
      const from = unused > 0 ? begin : (released.shift() as number)
      if (unused > 0) unused--
      planned.status = 'running'
      // The order in which added steps were waited for depends on which step ended first.
      planned.needs.sort((a, b) => a.place - b.place)
      for (const need of planned.needs) addStep(planned.closure, need)
      return { planned, from, ready: named, readyCount }
    },
    end(planned, status, clock, goOn) {
      planned.status = status
      released.splice(
        placeFor(released, clock, (one) => one),
        0,
        clock,
      )
      if (!goOn) return skipBehind(planned)
      for (const next of planned.neededBy) if (--next.open === 0 && next.status === 'waiting') makeReady(next)
      return []
    },
    stop() {
      stopped = true
    },
    insert(behind, more, before) {
      const inserted = more.map(plan)
      steps.splice(behind.place + 1, 0, ...inserted)
      renumber(behind.place + 1)
      for (const id of before) {
        const waiting = byId.get(id) as PlannedStep<Step>
        const wasReady = ready.indexOf(waiting)
        if (wasReady >= 0) ready.splice(wasReady, 1)
        for (const one of inserted) {
          waiting.needs.push(one)
          one.neededBy.push(waiting)
          waiting.open++
        }
      }
      for (const planned of inserted) if (planned.open === 0) makeReady(planned)
      return inserted
    },
    find: (id) => byId.get(id),
  }
}

const idOf = ({ step: { id } }: PlannedStep) => id

/** A set of steps by their index, as bits, 32 a word. */
export type Closure = number[]

/** Whether a step is in the set. */
export const hasStep = (closure: Closure, index: number): boolean =>
  ((closure[index >> 5] ?? 0) & (1 << (index & 31))) !== 0

/** Adds another set. */
export function addAll(closure: Closure, other: Closure): void {
  for (let word = 0; word < other.length; word++)
    closure[word] = (closure[word] ?? 0) | (other[word] as number)
}

/** Adds a step and all that it depends on. */
export function addStep(closure: Closure, step: { index: number; closure: Closure }): void {
  addAll(closure, step.closure)
  const word = step.index >> 5
  while (closure.length <= word) closure.push(0)
  closure[word] = (closure[word] as number) | (1 << (step.index & 31))
}

/** Returns the indexes in a set and not in another, ascending. */
export function indexesWithout(closure: Closure, other: Closure): number[] {
  const indexes: number[] = []
  for (let word = 0; word < closure.length; word++)
    for (let rest = (closure[word] as number) & ~(other[word] ?? 0); rest !== 0; rest &= rest - 1)
      indexes.push((word << 5) + (31 - Math.clz32(rest & -rest)))
  return indexes
}

/** Returns how many steps are in a set. */
export const sizeOf = (closure: Closure): number => closure.reduce((size, word) => size + countBits(word), 0)

/** Counts the bits of a word: of each pair, of each four, of each byte, and then of all bytes at once. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  const bytes = (fours + (fours >>> 4)) & 0x0f0f0f0f
  return Math.imul(bytes, 0x01010101) >>> 24
}

/** Returns the place at which a value keeps a sorted list sorted: behind its equals. */
export function placeFor<Entry, Value extends string | number>(
  sorted: readonly Entry[],
  value: Value,
  keyOf: (entry: Entry) => Value,
): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keyOf(sorted[middle] as Entry) <= value) low = middle + 1
    else high = middle
  }
  return low
}
