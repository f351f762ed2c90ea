import type { Account } from '../../agents/agent.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import { type CallEnd, createRateWindow, type RateWindow } from './rate-window.ts'

/** Permission to make one call. */
interface Slot {
  /** How long the call waited for it; ms. */
  waitedMs: number
  /** Gives the slot back. Must be called once, however the call ended. */
  end(end: CallEnd): void
}

/** Delays calls until the rate limits of their account allow them. */
export interface RateLimiter {
  /** Waits for a slot; undefined if aborted. `tokens` is the expected use of the call. */
  acquire(account: Account, method: string, tokens: number, signal: AbortSignal): Promise<Slot | undefined>
}

interface Waiting {
  tokens: number
  go(): void
}

interface AccountQueue {
  rate: RateWindow
  /** By method, in the order in which they are served next. */
  waiting: Map<string, Waiting[]>
  timer: NodeJS.Timeout | undefined
  /** A refused call was reported. */
  isReported: boolean
}

/**
 * Creates the rate limiter of a session. Methods that wait for the same account are served in turn, whatever the number of
 * their calls, so that none starves; calls of one method are served in order. The first refusal of an account is reported.
 */
export function createRateLimiter(onWarning: (message: string) => void): RateLimiter {
  const queues = new Map<string, AccountQueue>()

  const queueOf = ({ name, limits }: Account): AccountQueue => {
    const account = queues.get(name) ?? {
      rate: createRateWindow(limits),
      waiting: new Map(),
      timer: undefined,
      isReported: false,
    }
    queues.set(name, account)
    return account
  }

  return {
    acquire({ name, limits }, method, tokens, signal) {
      const account = queueOf({ name, limits })
      const since = performance.now()
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const call: Waiting = {
          tokens,
          go() {
            signal.removeEventListener('abort', leave)
            const now = performance.now()
            const id = account.rate.begin(now, tokens)
            const end = (end: CallEnd) => {
              account.rate.end(performance.now(), id, end)
              if (end.refused && !account.isReported) {
                account.isReported = true
                onWarning(
                  `${name} rejects calls because of its rate limit, so bench now runs fewer in parallel; the waiting time does not count for trials`,
                )
              }
              startNext(account)
            }
            resolve({ waitedMs: Math.round(now - since), end })
          },
        }
        const leave = () => {
          remove(account.waiting, method, call)
          resolve(undefined)
          startNext(account)
        }
        signal.addEventListener('abort', leave, { once: true })
        const queue = account.waiting.get(method)
        if (queue) queue.push(call)
        else account.waiting.set(method, [call])
        startNext(account)
      })
    },
  }
}

function startNext(account: AccountQueue): void {
  clearTimeout(account.timer)
  for (const [method, queue] of account.waiting) {
    const [call] = queue
    if (!call) continue
    const delay = account.rate.delay(performance.now(), call.tokens)
    if (delay > 0) {
      // No call overtakes another: a large call would wait for ever behind small ones.
      if (Number.isFinite(delay))
        account.timer = setTimeout(() => startNext(account), Math.min(Math.ceil(delay), longestTimer))
      return
    }
    account.waiting.delete(method)
    queue.shift()
    // The method goes to the end of the map, so this loop reaches it again.
    if (queue.length > 0) account.waiting.set(method, queue)
    call.go()
  }
}

function remove(waiting: Map<string, Waiting[]>, method: string, call: Waiting): void {
  const rest = (waiting.get(method) ?? []).filter((one) => one !== call)
  // The method keeps its place in the order.
  if (rest.length > 0) waiting.set(method, rest)
  else waiting.delete(method)
}
