import type { StrategyResult } from '../../strategy.ts'
import { LimitError } from '../../text/errors.ts'
import { type Break, findBreak } from './breaker.ts'
import { reachedCheckpoints } from './checkpoints.ts'
import { type Course, decide } from './decide.ts'
import {
  beginMachine,
  type Context,
  currentVisit,
  deliveredOutput,
  type End,
  elapsedOf,
  handIn,
  isWatched,
  type MachineOptions,
  type MachineRun,
  type Outcome,
} from './machine-run.ts'
import { initialState, stateOf } from './state-facts.ts'
import { visitState } from './visit-state.ts'

/**
 * Runs a machine of states from its initial state to an end, or with `only` one state alone. If no agent ever answered it throws
 * the first failure, so that a provider that is down is no failure of the method. At a limit of the trial, which decides its
 * outcome anyway, it returns, so that the record has the path.
 */
export async function runMachine(context: Context, options: MachineOptions): Promise<StrategyResult> {
  const run = beginMachine(context, options)
  const end = await untilLimit(run, () =>
    options.only === undefined ? walk(run) : runAlone(run, options.only),
  )
  if (run.failure && !run.hasAnswer && !run.limit) throw run.failure
  const output = deliveredOutput(run)
  const answer = output && handIn(run, output)
  run.record.delivered = output?.path ?? null
  return { ...(answer !== undefined && { answer }), ...end, state: { machine: run.record } }
}

async function untilLimit(run: MachineRun, work: () => Promise<End>): Promise<End> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof LimitError)) throw thrown
    run.limit = thrown
    return { stopReason: 'halted', detail: `a limit of the trial: ${thrown.message}` }
  }
}

async function walk(run: MachineRun): Promise<End> {
  for (let name = initialState(run.machine); ; ) {
    const outcome = await visitState(run, name, stateOf(run.machine, name))
    if ('stopReason' in outcome) return outcome
    const next = await move(run, outcome)
    if (typeof next !== 'string') return next
    name = next
  }
}

const failures = ['all_failure', 'failure']

async function runAlone(run: MachineRun, name: string): Promise<End> {
  const outcome = await visitState(run, name, stateOf(run.machine, name))
  if ('stopReason' in outcome) return outcome
  const { result } = outcome
  Object.assign(run.record.visits.at(-1) ?? {}, { result })
  return {
    stopReason: failures.includes(result) ? 'halted' : 'done',
    detail: `state ${name} alone: ${result}`,
  }
}

/**
 * Takes the transition of a visit. Hard limits come first, then the rules in their order, then the checkpoints; where one is
 * reached the orchestrator decides. Returns the state that follows, or how the machine ends.
 */
async function move(run: MachineRun, { result, next }: Outcome): Promise<string | End> {
  const visit = currentVisit(run)
  const { state: from } = visit
  visit.result = result
  visit.next = next
  record(run, from, next, result)
  const course = await courseOf(run, from, next)
  if (course && !('goesTo' in course)) return course
  // A decision is a transition, too: no orchestrator can go on for ever.
  if (course) record(run, from, course.goesTo, course.result)
  const goesTo = course?.goesTo ?? next
  // To decide took time and money.
  return breakAt(run, from, goesTo, 'hard') ?? goesTo
}

function record({ transitions, context }: MachineRun, from: string, to: string, result: string): void {
  transitions.push({ from, to, result })
  context.note({ type: 'transition', from, to, result })
}

async function courseOf(run: MachineRun, from: string, next: string): Promise<Course> {
  const target = run.machine.states[next]
  // Where the machine ends there is nothing left to break.
  if (target?.type === 'terminal') {
    if (target.error || !isWatched(run, 'workflow_complete') || findLimit(run)) return undefined
    return decide(run, { checkpoint: 'workflow_complete', fact: 'the workflow is about to end' }, next)
  }
  const broken = breakAt(run, from, next, 'any')
  if (broken && 'stopReason' in broken) return broken
  if (broken) return decideBreak(run, broken, next)
  for (const trigger of reachedCheckpoints(run)) {
    const course = await decide(run, trigger, next)
    if (course) return course
  }
  return undefined
}

/** Returns the rule that breaks, recorded, or the end of the machine at a hard limit. */
function breakAt(run: MachineRun, from: string, to: string, which: 'hard'): End | undefined
function breakAt(run: MachineRun, from: string, to: string, which: 'any'): End | Break | undefined
function breakAt(run: MachineRun, from: string, to: string, which: 'hard' | 'any'): End | Break | undefined {
  const { machine, context } = run
  // Where the machine ends there is nothing left to break.
  if (machine.states[to]?.type === 'terminal') return undefined
  if (context.spent().costUsd === null) noteUnknownCost(run)
  const broken =
    which === 'hard' ? findLimit(run) : findBreak(machine.circuit_breaker, historyOf(run), run.raised)
  if (!broken) return undefined
  const { rule, isHard: hard, fact } = broken
  run.record.breaks.push({ rule, hard, fact, from, to, at: context.now() })
  context.note({ type: 'circuit_break', rule, hard, fact, from, to })
  return hard ? { stopReason: 'exhausted', detail: `hard limit of ${rule}: ${fact}` } : broken
}

const historyOf = (run: MachineRun) => ({
  transitions: run.transitions,
  elapsedMs: elapsedOf(run),
  costUsd: run.context.spent().costUsd,
})

const findLimit = (run: MachineRun) =>
  findBreak({ ...run.machine.circuit_breaker, rules: [] }, historyOf(run))

function noteUnknownCost({ record, context }: MachineRun): void {
  if (record.costUnknown) return
  record.costUnknown = true
  context.note({
    type: 'cost_unknown',
    text: 'a call did not report its cost, so no rule about cost can break',
  })
}

async function decideBreak(run: MachineRun, { rule, fact }: Break, next: string): Promise<Course> {
  const course = await decide(run, { checkpoint: 'loop_warning', fact: `rule ${rule} broke: ${fact}` }, next)
  if (!course) run.raised[rule] = (run.raised[rule] ?? 0) + 1
  return course
}
