/** Syncs that callers share: each covers all who asked before it began. */
export interface SharedSync {
  /**
   * Resolves after a sync that began after the call. It begins when the one under way has ended and the least patient of
   * those who wait has waited as long as it may.
   */
  sync(patienceMs: number): Promise<void>
  /** Somebody waits for a sync that has not begun. */
  hasWaiters(): boolean
  /** Lets the next one begin at once. */
  startNow(): void
}

/** `syncNow` is called for one sync after the other. */
export function shareSyncs(syncNow: () => Promise<void>): SharedSync {
  let running: Promise<void> = Promise.resolve()
  let queued: { done: Promise<void>; gathering: Gathering } | undefined
  const queue = () => {
    const gathering = gather()
    const done = gathering.over
      .then(() => running.catch(() => {}))
      .then(() => {
        queued = undefined
        running = syncNow()
        return running
      })
    return { done, gathering }
  }
  return {
    sync(patienceMs) {
      // A sync under way may have begun before this caller's line was written: the next one covers all that wait now.
      queued ??= queue()
      queued.gathering.endWithin(patienceMs)
      return queued.done
    },
    hasWaiters: () => queued !== undefined,
    startNow: () => queued?.gathering.endWithin(0),
  }
}

/** A wait for others that may come; whoever has less patience brings its end forward. */
interface Gathering {
  over: Promise<void>
  endWithin(ms: number): void
}

function gather(): Gathering {
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
