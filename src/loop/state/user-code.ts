import { AsyncLocalStorage } from 'node:async_hooks'
import type { Trial } from '../../schema/ledger/trial.ts'
import { InfrastructureError, thrownText } from '../../text/errors.ts'
import { locateError } from '../../user-code/error-location.ts'
import { addCodeNamer, setRunningCode } from '../../user-code/watchdog-state.ts'
import type { TrialState } from './trial-state.ts'

/*
 * A strategy or a script of the user's may throw where nobody awaits it: in a timer, a listener, a promise left alone. Node
 * tells only the process of it. So what such code begins is marked with its trial, in runs that have such code alone: the
 * marks cost every promise something.
 */
const whose = new AsyncLocalStorage<Whose>()

interface Whose {
  trialState: TrialState
  /** Absent: the method's own code. */
  agent: string | undefined
}

/** Trials under way that ran code of the user's, with the names of it. */
const underWay = new Map<TrialState, Set<string>>()

/** Runs code of the user's for a trial: its method's, or that of an agent. */
export function onBehalfOf<Result>(
  trialState: TrialState,
  agent: string | undefined,
  code: () => Result,
): Result {
  const names = underWay.get(trialState)
  if (names) names.add(nameOf(trialState, agent))
  else underWay.set(trialState, new Set([nameOf(trialState, agent)]))
  setRunningCode(namesUnderWay())
  return whose.run({ trialState, agent }, code)
}

/** Lets a throw that nobody awaits come up before its trial ends: Node tells of it between two turns of the event loop. */
export async function lastWords(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Forgets a trial that has ended. */
export function hasEnded(trialState: TrialState): void {
  underWay.delete(trialState)
  setRunningCode(namesUnderWay())
}

/** More than a few help nobody to find the one. */
const mostNames = 8

function namesUnderWay(): string {
  const names: string[] = []
  for (const [{ trial }, own] of underWay) {
    if (names.length === mostNames) break
    names.push(`${[...own].join(' and ')} in ${trialName(trial)}`)
  }
  return names.join(' or ')
}

/** The method, or the agent, whose code runs at this moment, with its trial. */
function whoRuns(): string | undefined {
  const found = whose.getStore()
  return found && `${nameOf(found.trialState, found.agent)} in ${trialName(found.trialState.trial)}`
}

addCodeNamer(whoRuns)

/** As people find it: `bench show` takes the beginning of an id. */
const trialName = ({ id, cell, epoch }: Trial) => `trial ${id.slice(0, 12)} (${cell.task}, epoch ${epoch})`

/** Whose throw it was that came up outside of every call, and what became of it. */
export type Blame =
  /** Its trial ends in error, and the run goes on. */
  | { trial: string; name: string; place?: string | undefined; ended: false }
  /** Its trial had ended before: its record stands. */
  | { trial: string; name: string; place?: string | undefined; ended: true }
  /** Nobody knows; these ran code of the user's. */
  | { candidates: string[] }

/** Ends the trial whose code threw, where that can be known. To be called where the process is told of the error. */
export function blame(error: unknown): Blame {
  const found = whose.getStore()
  if (!found)
    return {
      candidates: [...underWay].flatMap(([trialState, names]) =>
        [...names].map((name) => `${name}, trial ${trialState.trial.id}`),
      ),
    }
  const { trialState, agent } = found
  const name = nameOf(trialState, agent)
  const told = { trial: trialState.trial.id, name, place: locateError(error)?.place }
  if (trialState.over) return { ...told, ended: true }
  // The first that was thrown counts, as it does for the outcome.
  if (!trialState.broken) noteThrown(trialState, error)
  breakOff(trialState, new InfrastructureError(`${name} threw where nobody awaited it: ${thrownText(error)}`))
  return { ...told, ended: false }
}

/** Keeps where code of the user's threw, for the record. It is no part of the outcome: it names this machine's files. */
export function noteThrown(trialState: TrialState, error: unknown): void {
  const at = locateError(error)
  const { redact } = trialState.run
  trialState.thrown = at && redact ? redact.data(at) : at
}

/** Ends a trial in error: what is in flight is cut off, and nothing more is begun. The first error counts. */
export function breakOff(trialState: TrialState, error: Error): void {
  trialState.broken ??= error
  trialState.cut?.abort()
  trialState.root.giveUp?.(error)
}

const nameOf = ({ trial }: TrialState, agent: string | undefined) =>
  agent === undefined
    ? `method ${trial.cell.method.label}`
    : `agent ${agent} of method ${trial.cell.method.label}`
