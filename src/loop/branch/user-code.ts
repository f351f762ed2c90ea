import { AsyncLocalStorage } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import type { Trial } from '../../schema/ledger/trial.ts'
import { InfrastructureError, thrownText } from '../../text/errors.ts'
import { locateError } from '../../user-code/error-location.ts'
import { addCodeNamer, setRunningCode } from '../../user-code/watchdog-state.ts'
import type { TrialState } from './trial-state.ts'

/*
 * A user's strategy or script may throw where nothing awaits it: in a timer, a listener, a floating promise. Node then reports
 * the error to the process only. So in runs with such code, AsyncLocalStorage marks everything it starts with its trial.
 */
const ownerStorage = new AsyncLocalStorage<Owner>()

interface Owner {
  trialState: TrialState
  /** Undefined: the method's own code. */
  agent: string | undefined
}

const activeTrials = new Map<TrialState, Set<string>>()

/** Runs a user's code for a trial: its method's, or that of an agent. */
export function runUserCode<Result>(
  trialState: TrialState,
  agent: string | undefined,
  code: () => Result,
): Result {
  const names = activeTrials.get(trialState)
  if (names) names.add(nameOf(trialState, agent))
  else activeTrials.set(trialState, new Set([nameOf(trialState, agent)]))
  setRunningCode(activeNames())
  return ownerStorage.run({ trialState, agent }, code)
}

/** Waits one iteration of the event loop, so that Node reports an unawaited error before its trial ends. */
export async function awaitStrayThrows(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Forgets a trial that has ended. */
export function forgetTrial(trialState: TrialState): void {
  activeTrials.delete(trialState)
  setRunningCode(activeNames())
}

/** A longer list would not help to find the culprit. */
const mostNames = 8

function activeNames(): string {
  const names: string[] = []
  for (const [{ plan }, own] of activeTrials) {
    if (names.length === mostNames) break
    names.push(`${[...own].join(' and ')} in ${trialName(plan.trial)}`)
  }
  return names.join(' or ')
}

/** Returns the name of the method or agent whose code runs now, and of its trial. */
function currentOwner(): string | undefined {
  const found = ownerStorage.getStore()
  return found && `${nameOf(found.trialState, found.agent)} in ${trialName(found.trialState.plan.trial)}`
}

addCodeNamer(currentOwner)

/** Names a trial by the start of its id, which `bench show` accepts. */
const trialName = ({ id, cell, epoch }: Trial) => `trial ${id.slice(0, 12)} (${cell.task}, epoch ${epoch})`

/** Whose code threw an error that nothing awaited, and what happened to its trial. */
export type Blame =
  /** Its trial ends in error, and the run goes on. */
  | { trial: string; name: string; place?: string | undefined; ended: false }
  /** Its trial had already ended: its record stays. */
  | { trial: string; name: string; place?: string | undefined; ended: true }
  /** Unknown; these ran user code. */
  | { suspects: string[] }

/** Ends the trial whose code threw, if it can be found. Call it in the process's handler for uncaught errors. */
export function blame(error: unknown): Blame {
  const found = ownerStorage.getStore()
  if (!found)
    return {
      suspects: [...activeTrials].flatMap(([trialState, names]) =>
        [...names].map((name) => `${name}, trial ${trialState.plan.trial.id}`),
      ),
    }
  const { trialState, agent } = found
  const name = nameOf(trialState, agent)
  const blamed = { trial: trialState.plan.trial.id, name, place: locateError(error)?.place }
  if (trialState.hasEnded) return { ...blamed, ended: true }
  // The first error counts, as for the outcome.
  if (trialState.phase === 'running') noteThrowPlace(trialState, error)
  breakTrial(
    trialState,
    new InfrastructureError(`${name} threw where nobody awaited it: ${thrownText(error)}`),
  )
  return { ...blamed, ended: false }
}

/** Notes where a user's code threw, for the record. The outcome does not include it, since it names files of this machine. */
export function noteThrowPlace(trialState: TrialState, error: unknown): void {
  const at = locateError(error)
  const { redact } = trialState.run
  trialState.journal.thrownAt = at && redact ? redact.data(at) : at
}

/** Ends a trial in error: calls in flight are cut off, and no effect begins any more. The first error counts. */
export function breakTrial(trialState: TrialState, error: Error): void {
  if (trialState.phase === 'running') trialState.phase = { broken: error }
  trialState.callAbort?.abort()
  trialState.root.giveUp?.(error)
}

const nameOf = ({ plan: { trial } }: TrialState, agent: string | undefined) =>
  agent === undefined
    ? `method ${trial.cell.method.label}`
    : `agent ${agent} of method ${trial.cell.method.label}`

/**
 * The reason of a signal that stops a run but lets its paid calls in flight end, so that their replies are recorded and not asked again.
 * Everything else ends at once: waits, checks, free calls, new calls. `cut` ends the paid calls, too.
 */
export class Stopping extends Error {
  /** Number of paid calls that are still in flight. */
  calls = 0
  readonly #cut = new AbortController()

  constructor() {
    super('the run is stopping')
    this.name = 'AbortError'
    setMaxListeners(0, this.#cut.signal)
  }

  get cutSignal(): AbortSignal {
    return this.#cut.signal
  }

  cut(): void {
    this.#cut.abort(this)
  }
}

/** Returns the signal of a paid call that begins: it aborts with `signal`, or, if the run only stops, when paid calls are cut off. */
export function beginPaidCall(signal: AbortSignal): { signal: AbortSignal; end(): void } {
  const call = new AbortController()
  let stopping: Stopping | undefined
  const cut = () => call.abort(signal.reason)
  const onAbort = () => {
    const { reason } = signal as { reason: unknown }
    if (!(reason instanceof Stopping) || reason.cutSignal.aborted) return cut()
    stopping = reason
    stopping.calls++
    stopping.cutSignal.addEventListener('abort', cut, { once: true })
  }
  // A run that is already stopping begins no call.
  if (signal.aborted) cut()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    signal: call.signal,
    /** Must be called once, when the call has ended. */
    end(): void {
      signal.removeEventListener('abort', onAbort)
      if (!stopping) return
      stopping.cutSignal.removeEventListener('abort', cut)
      stopping.calls--
    },
  }
}
