import type { Account } from '../../agents/agent.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import { type CallEnd, openRate, type Rate } from './rate-window.ts'

/** Leave to make one call. */
interface Slot {
  /** Since it was asked for; ms. */
  waitedMs: number
  /** Must be told once, however the call ended. */
  end(end: CallEnd): void
}

/** Holds calls back as long as their account's rate wants it. */
export interface Gate {
  /** Undefined when aborted. `tokens` is what the call is expected to use. */
  enter(account: Account, method: string, tokens: number, signal: AbortSignal): Promise<Slot | undefined>
}

interface Waiting {
  tokens: number
  go(): void
}

interface Lane {
  rate: Rate
  /** By method, in the order of their turns: whoever had one stands last. */
  waiting: Map<string, Waiting[]>
  timer: NodeJS.Timeout | undefined
  /** Calls were refused, and that was told. */
  told: boolean
}

/**
 * The gate of a session. Methods that wait for the same account take turns, whatever the number of their calls, so that
 * none is starved; calls of one method go in the order in which they came. An account's first refusal is told.
 */
export function openGate(onWarning: (message: string) => void): Gate {
  const lanes = new Map<string, Lane>()

  const laneOf = ({ name, limits }: Account): Lane => {
    const lane = lanes.get(name) ?? {
      rate: openRate(limits),
      waiting: new Map(),
      timer: undefined,
      told: false,
    }
    lanes.set(name, lane)
    return lane
  }

  return {
    enter(account, method, tokens, signal) {
      const lane = laneOf(account)
      const since = performance.now()
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const call: Waiting = {
          tokens,
          go() {
            signal.removeEventListener('abort', leave)
            const now = performance.now()
            const ticket = lane.rate.begin(now, tokens)
            const end = (end: CallEnd) => {
              lane.rate.end(performance.now(), ticket, end)
              if (end.refused && !lane.told) {
                lane.told = true
                onWarning(
                  `${account.name} refuses calls as too many: fewer go out at once now, on nobody's clock`,
                )
              }
              letThrough(lane)
            }
            resolve({ waitedMs: Math.round(now - since), end })
          },
        }
        const leave = () => {
          remove(lane.waiting, method, call)
          resolve(undefined)
          letThrough(lane)
        }
        signal.addEventListener('abort', leave, { once: true })
        const queue = lane.waiting.get(method)
        if (queue) queue.push(call)
        else lane.waiting.set(method, [call])
        letThrough(lane)
      })
    },
  }
}

function letThrough(lane: Lane): void {
  clearTimeout(lane.timer)
  for (const [method, queue] of lane.waiting) {
    const [call] = queue
    if (!call) continue
    const delay = lane.rate.delay(performance.now(), call.tokens)
    if (delay > 0) {
      // Nobody overtakes: a large call would wait for ever behind small ones.
      if (Number.isFinite(delay))
        lane.timer = setTimeout(() => letThrough(lane), Math.min(Math.ceil(delay), longestTimer))
      return
    }
    lane.waiting.delete(method)
    queue.shift()
    // Set anew it stands last, and is met again by this very loop.
    if (queue.length > 0) lane.waiting.set(method, queue)
    call.go()
  }
}

function remove(waiting: Map<string, Waiting[]>, method: string, call: Waiting): void {
  const rest = (waiting.get(method) ?? []).filter((one) => one !== call)
  // The method keeps its turn.
  if (rest.length > 0) waiting.set(method, rest)
  else waiting.delete(method)
}
