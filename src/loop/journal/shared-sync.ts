/** A sync that concurrent callers share. It covers all callers that asked before it began. */
interface SharedSync {
  /**
   * Resolves after a sync that began after the call. That sync begins when the running one has ended and `maxWaitMs` of any
   * waiting caller is over.
   */
  sync(maxWaitMs: number): Promise<void>
  /** Returns whether a caller waits for a sync that has not begun. */
  hasWaiters(): boolean
  /** Lets the next sync begin without further waiting. */
  startNow(): void
}

/** Creates a shared sync. `syncNow` runs once per sync, never twice at the same time. */
export function shareSyncs(syncNow: () => Promise<void>): SharedSync {
  let running: Promise<void> = Promise.resolve()
  let queued: { done: Promise<void>; delay: Delay } | undefined
  const queue = () => {
    const delay = createDelay()
    const done = delay.over
      .then(() => running.catch(() => {}))
      .then(() => {
        queued = undefined
        running = syncNow()
        return running
      })
    return { done, delay }
  }
  return {
    sync(maxWaitMs) {
      // The running sync may have begun before this caller's line was written, so the caller waits for the next one.
      queued ??= queue()
      queued.delay.endWithin(maxWaitMs)
      return queued.done
    },
    hasWaiters: () => queued !== undefined,
    startNow: () => queued?.delay.endWithin(0),
  }
}

/** A delay that each caller can shorten. */
interface Delay {
  over: Promise<void>
  endWithin(ms: number): void
}

function createDelay(): Delay {
  let end = () => {}
  let endsAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    over,
    endWithin(ms) {
      const at = performance.now() + ms
      if (at >= endsAt) return
      endsAt = at
      clearTimeout(timer)
      if (ms > 0) timer = setTimeout(end, ms)
      else end()
    },
  }
}
