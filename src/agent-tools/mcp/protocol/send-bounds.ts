/** What is counted of all that a server sends. */
export type Sent = 'bytes' | 'messages' | 'requests'

/** Bounds on what a server sends between two requests of bench. */
interface SendBounds {
  /** Counts what was sent; false if it is too much. */
  add(what: Sent, count: number): boolean
  /** Begins to count anew: bench asks something. */
  reset(): void
  /** The first bound that was exceeded, as a phrase whose subject is the server; undefined if none was. */
  exceeded(): string | undefined
}

/** Messages, and requests among them, that a server may send between two requests of bench. */
const [mostMessages, mostRequests] = [10_000, 500]

/** Bytes that a server may send between two requests, as a multiple of the longest answer, and at least. */
const [floodFactor, leastFloodBytes] = [4, 4 * 1024 * 1024]

/** Creates the bounds of a server whose answers have at most `longestAnswer` bytes. */
export function createSendBounds(longestAnswer: () => number): SendBounds {
  let sent = { bytes: 0, messages: 0, requests: 0 }
  let exceeded: string | undefined
  const most = {
    bytes: () => Math.max(floodFactor * longestAnswer(), leastFloodBytes),
    messages: () => mostMessages,
    requests: () => mostRequests,
  }
  const texts = {
    bytes: 'bytes between two requests of bench',
    messages: 'messages between two requests of bench',
    requests: 'requests of its own',
  }
  return {
    add(what, count) {
      sent[what] += count
      const bound = most[what]()
      if (sent[what] <= bound) return true
      exceeded ??= `sent more than ${bound} ${texts[what]}`
      return false
    },
    reset() {
      sent = { bytes: 0, messages: 0, requests: 0 }
    },
    exceeded: () => exceeded,
  }
}
