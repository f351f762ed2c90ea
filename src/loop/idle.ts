import { isAtWork } from './branch.ts'
import { giveUp, Interrupted, type TrialDoor } from './door.ts'

/** How often an interrupted run looks for methods that do nothing and do not end; ms. */
const checkMs = 2000

/** Ends trials whose methods wait for what never comes, or wait on after an interrupt, until the function it gives is called. */
export function endIdleTrials(running: ReadonlySet<TrialDoor>, signal: AbortSignal): () => void {
  const onIdle = () => {
    if (running.size === 0) return
    for (const door of running) giveUp(door, new Error('it waits for something that never comes'))
    // What comes after may wait for nothing but promises, and Node asks again only where something else was done.
    setImmediate(() => {})
  }
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    // What is in flight is cut off and told; a wait of the method's own hears nothing of it.
    const end = () => {
      for (const door of running) if (!isAtWork(door.root)) giveUp(door, new Interrupted())
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
