import type { StrategyResult } from '../../strategy.ts'
import { LimitError } from '../../text/errors.ts'
import { type Break, findBreak, isOfState, letGoOn, type Transition } from './breaker.ts'
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
 * Leaves a state. Whoever decides on the transition, its rules are checked: hard limits come first, then the rules in their order,
 * then the checkpoints, unless the orchestrator has decided already. Returns the state that follows, or how the machine ends.
 */
async function move(run: MachineRun, { result, next }: Outcome): Promise<string | End> {
  const visit = currentVisit(run)
  const { state: from } = visit
  Object.assign(visit, { result, next })
  let transition = record(run, from, next, result)
  for (let isDecided = false; ; isDecided = true) {
    const { to } = transition
    const broken = breakAt(run, transition)
    if (broken && 'stopReason' in broken) return broken
    const course = broken ? await decideBreak(run, broken, to) : await decideAtCheckpoints(run, to, isDecided)
    if (course && !('goesTo' in course)) return course
    // A decision that names the state it was asked about allows the state to be entered.
    const isLetGo = broken !== undefined && (course?.goesTo ?? to) === to
    if (broken && (isLetGo || !isOfState(broken.rule))) letGoOn(run.letGo, broken.rule, run.transitions)
    if (course) {
      // A decision is a transition, too: no orchestrator can go on for ever.
      transition.replaced = true
      transition = record(run, from, course.goesTo, course.result)
    }
    // To decide took time and money.
    if (!course || isLetGo) return breakAt(run, transition, []) ?? transition.to
  }
}

function record({ transitions, context }: MachineRun, from: string, to: string, result: string) {
  const transition: MachineRun['transitions'][number] = { from, to, result }
  transitions.push(transition)
  context.note({ type: 'transition', from, to, result })
  return transition
}

async function decideAtCheckpoints(run: MachineRun, next: string, isDecided: boolean): Promise<Course> {
  if (isDecided) return undefined
  const target = run.machine.states[next]
  if (target?.type === 'terminal') {
    if (target.error || !isWatched(run, 'workflow_complete') || findBreakIn(run, [])) return undefined
    return decide(run, { checkpoint: 'workflow_complete', fact: 'the workflow is about to end' }, next)
  }
  for (const trigger of reachedCheckpoints(run)) {
    const course = await decide(run, trigger, next)
    if (course) return course
  }
  return undefined
}

/** Returns the rule that breaks, recorded, or the end of the machine at a hard limit, which is checked with any rules. */
function breakAt(run: MachineRun, transition: Transition, rules: []): End | undefined
function breakAt(run: MachineRun, transition: Transition): End | Break | undefined
function breakAt(run: MachineRun, { from, to }: Transition, rules?: []): End | Break | undefined {
  const { machine, context } = run
  // Where the machine ends there is nothing left to break.
  if (machine.states[to]?.type === 'terminal') return undefined
  if (context.spent().costUsd === null) noteUnknownCost(run)
  const broken = findBreakIn(run, rules)
  if (!broken) return undefined
  const { rule, isHard: hard, fact } = broken
  run.record.breaks.push({ rule, hard, fact, from, to, at: context.now() })
  context.note({ type: 'circuit_break', rule, hard, fact, from, to })
  return hard ? { stopReason: 'exhausted', detail: `hard limit of ${rule}: ${fact}` } : broken
}

function findBreakIn(run: MachineRun, rules = run.machine.circuit_breaker.rules): Break | undefined {
  const { machine, transitions, context, letGo } = run
  const history = { transitions, elapsedMs: elapsedOf(run), costUsd: context.spent().costUsd }
  return findBreak({ ...machine.circuit_breaker, rules }, history, letGo)
}

function noteUnknownCost({ record, context }: MachineRun): void {
  if (record.costUnknown) return
  record.costUnknown = true
  context.note({
    type: 'cost_unknown',
    text: 'a call did not report its cost, so no rule about cost can break',
  })
}

const decideBreak = (run: MachineRun, { rule, fact }: Break, next: string): Promise<Course> =>
  decide(run, { checkpoint: 'loop_warning', fact: `rule ${rule} broke: ${fact}` }, next)
