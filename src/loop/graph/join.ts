import type { ConflictPolicy } from '../../graph.ts'
import type { Branch } from '../branch/trial-state.ts'
import { addAsk, forkState, listAsks } from '../branch/workspace.ts'
import { addDifference } from '../budget/spending.ts'
import { createJoin } from './join-parts.ts'
import { changedParts, type Ends, type Joined, type StepEnd } from './joined.ts'
import {
  addAll,
  addStep,
  type Closure,
  hasStep,
  indexesWithout,
  type PlannedStep,
  sizeOf,
} from './schedule.ts'

/** Returns the end of a step, whose branch has moved on from `start`. */
export function stepEnd(
  planned: PlannedStep,
  start: Joined,
  { state, bill, clock }: Branch,
  unjoined: boolean,
): StepEnd {
  const own = changedParts(start.state, state)
  const writers = own.length > 0 ? new Map(start.writers) : start.writers
  if (writers instanceof Map) for (const part of own) writers.set(part, planned)
  const end = { state, bill, clock, writers, merged: [] }
  return { planned, start, end, changed: [...start.merged, ...own], unjoined }
}

interface Joining {
  /** What the graph began with. */
  begin: Joined
  ends: Ends
  policy: ConflictPolicy
  /** The step that begins with the join; undefined at the graph's end. */
  joiner?: PlannedStep
}

/**
 * Joins steps and all that they depend on. The one with the most steps before it is the base, as it ended; each other one, in
 * plan order, adds the parts that the steps before it changed, as it ended with them. Throws `ConflictError` where two steps
 * changed one file and the policy does not allow that.
 */
export function joinSteps(steps: readonly PlannedStep[], { begin, ends, policy, joiner }: Joining): Joined {
  const last = lastOf(steps, ends)
  const clock = clockOf(steps, begin, ends)
  const [first] = last
  if (!first) return { ...begin, clock }
  if (last.length === 1) return { ...first.end, clock, merged: [] }
  const base = last.reduce((most, one) =>
    sizeOf(one.planned.closure) > sizeOf(most.planned.closure) ? one : most,
  )
  const held = withStep(base.planned)
  const bill = { ...base.end.bill }
  const parts = createJoin(base.end, policy, joiner)
  const joined: StepEnd[] = []
  for (const one of last) {
    if (one === base) continue
    const own = withStep(one.planned)
    const fresh = inPlanOrder(indexesWithout(own, held), ends)
    parts.add(one, fresh, own, held)
    joined.push(...fresh)
    addStep(held, one.planned)
  }
  const { state, writers, merged } = parts.finish()
  state.asks = base.end.state.asks
  for (const { start, end } of joined.sort(byPlace)) {
    addDifference(bill, end.bill, start.bill)
    for (const ask of listAsks(end.state.asks, start.state.asks)) state.asks = addAsk(state.asks, ask)
  }
  return { state, bill, clock, writers, merged }
}

/** The first state of a step whose join failed: nothing of its own. */
export const unjoinedStart = (begin: Joined, needs: readonly PlannedStep[], ends: Ends): Joined => ({
  ...begin,
  state: forkState(begin.state),
  clock: clockOf(needs, begin, ends),
})

const clockOf = (steps: readonly PlannedStep[], begin: Joined, ends: Ends) =>
  steps.reduce((clock, { index }) => Math.max(clock, ends.get(index)?.end.clock ?? 0), begin.clock)

/** Returns those of the steps on which none of the others depends, in plan order. In place of an unjoined step stand those before it. */
function lastOf(steps: readonly PlannedStep[], ends: Ends): StepEnd[] {
  const found = new Map<number, StepEnd>()
  const left = [...steps]
  const seen = new Set<PlannedStep>()
  for (let step = left.pop(); step; step = left.pop()) {
    const end = ends.get(step.index)
    if (!end || seen.has(step)) continue
    seen.add(step)
    if (end.unjoined) left.push(...step.needs)
    else found.set(step.index, end)
  }
  if (found.size < 2) return [...found.values()]
  const before: Closure = []
  for (const { planned } of found.values()) addAll(before, planned.closure)
  return [...found.values()].filter(({ planned }) => !hasStep(before, planned.index)).sort(byPlace)
}

function withStep(step: PlannedStep): Closure {
  const own: Closure = []
  addStep(own, step)
  return own
}

const inPlanOrder = (indexes: readonly number[], ends: Ends): StepEnd[] =>
  indexes.flatMap((index) => ends.get(index) ?? []).sort(byPlace)

const byPlace = (a: StepEnd, b: StepEnd) => a.planned.place - b.planned.place
