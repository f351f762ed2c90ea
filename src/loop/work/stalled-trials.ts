import type { Agent } from '../../agents/agent.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { isAtWork } from '../state/branch.ts'
import { Interrupted, type TrialState } from '../state/trial-state.ts'
import { breakTrial } from '../state/user-code.ts'

/** How often an interrupted run looks for methods that do nothing and do not end; ms. */
const checkMs = 2000

/**
 * Ends trials that wait for what never comes, or whose methods wait on after an interrupt, until the function it gives is
 * called. A reply that never comes is not the method's fault: such a trial ends in error, its calls in flight cut off and told.
 */
export function endStalledTrials(running: readonly TrialState[], signal: AbortSignal): () => void {
  const onIdle = () => {
    if (running.length === 0) return
    for (const trialState of [...running]) {
      // A method that waits on though its calls were cut off is left waiting.
      if (trialState.pendingCalls.size > 0 && !trialState.broken)
        breakTrial(trialState, neverReplied(trialState.pendingCalls))
      else giveUp(trialState, new Error('it waits for something that never comes'))
    }
    // What comes after may wait for nothing but promises, and Node asks again only where something else was done.
    setImmediate(() => {})
  }
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    // What is in flight is cut off and told; a wait of the method's own hears nothing of it.
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

/** Ends a method from outside, without waiting for its branches. */
function giveUp(trialState: TrialState, error: Error): void {
  trialState.gaveUp = true
  trialState.root.giveUp?.(error)
  trialState.onGiveUp?.()
}

function neverReplied(awaited: Iterable<{ agent: Agent; role: string }>): Error {
  const whose = new Set([...awaited].map(({ agent, role }) => `agent ${agent.name} as "${role}"`))
  return new InfrastructureError(
    `${[...whose].join(', ')}: its reply never came: nothing is left in the process that could bring it`,
  )
}
