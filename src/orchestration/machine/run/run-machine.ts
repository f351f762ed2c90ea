import type { StrategyResult } from '../../../strategy.ts'
import { LimitError } from '../../../text/errors.ts'
import { initialState, stateOf } from '../state-facts.ts'
import { deliveredOutput, handIn } from './deliver.ts'
import { beginMachine, type Context, type End, type MachineOptions, type MachineRun } from './machine-run.ts'
import { move } from './move.ts'
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

/** Transitions of a state that did not do its work. */
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
