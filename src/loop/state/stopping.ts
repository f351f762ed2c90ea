import { setMaxListeners } from 'node:events'

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

/** A signal for one paid call. */
interface PaidCall {
  signal: AbortSignal
  /** Must be called once, when the call has ended. */
  end(): void
}

/** Returns the signal of a paid call that begins: it aborts with `signal`, or, if the run only stops, when paid calls are cut off. */
export function beginPaidCall(signal: AbortSignal): PaidCall {
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
    end() {
      signal.removeEventListener('abort', onAbort)
      if (!stopping) return
      stopping.cutSignal.removeEventListener('abort', cut)
      stopping.calls--
    },
  }
}
