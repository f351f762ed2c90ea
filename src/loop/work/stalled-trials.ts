import type { Agent } from '../../agents/agent.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { isAtWork } from '../branch/branch.ts'
import { Interrupted } from '../branch/recorded-steps.ts'
import type { TrialState } from '../branch/trial-state.ts'
import { breakTrial } from '../branch/user-code.ts'

/** Interval at which an interrupted run checks for stalled methods, in ms. */
const checkMs = 2000

/**
 * Ends trials that wait for something that cannot happen any more, and methods that keep waiting after an interrupt. A missing
 * reply is not the method's fault: such a trial ends in error. Returns a function that stops the watch.
 */
export function endStalledTrials(running: readonly TrialState[], signal: AbortSignal): () => void {
  const onIdle = () => {
    if (running.length === 0) return
    for (const trialState of [...running]) {
      // A method that keeps waiting after its calls were cut off is abandoned.
      if (trialState.pendingCalls.size > 0 && trialState.phase === 'running')
        breakTrial(trialState, noReplyError(trialState.pendingCalls))
      else giveUp(trialState, new Error('it waits for something that never comes'))
    }
    // Node emits `beforeExit` again only after new work, and the next trial may only await promises.
    setImmediate(() => {})
  }
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    // Calls in flight are cut off by the signal, but the method's own waits do not listen to it.
    const end = () => {
      for (const trialState of [...running])
        if (!isAtWork(trialState.root)) giveUp(trialState, new Interrupted())
    }
    timer = setInterval(end, checkMs).unref()
  }
  process.on('beforeExit', onIdle)
  signal.addEventListener('abort', onAbort, { once: true })
  return () => {
    process.off('beforeExit', onIdle)
    signal.removeEventListener('abort', onAbort)
    clearInterval(timer)
  }
}

/** Ends a method from outside, without waiting for its branches. What they still do, such as a call of a server, is cut off. */
function giveUp(trialState: TrialState, error: Error): void {
  trialState.abandoned.abort()
  trialState.callAbort?.abort()
  trialState.root.giveUp?.(error)
}

function noReplyError(awaited: Iterable<{ agent: Agent; role: string }>): Error {
  const waiting = new Set([...awaited].map(({ agent, role }) => `agent ${agent.name} as "${role}"`))
  return new InfrastructureError(
    `${[...waiting].join(', ')}: its reply never came: nothing is left in the process that could bring it`,
  )
}
