import type { Readable } from 'node:stream'

/** What is kept of one output stream. */
export interface CollectedOutput {
  text(): string
  truncated(): boolean
}

/**
 * Reads a stream to its end and keeps at most `maxBytes`: the first three quarters and the last quarter, since reports
 * and error messages come last. Bytes that are not UTF-8 become replacement characters. `onFlood` is called once when
 * `floodFactor` times as much has come.
 */
export function collectOutput(stream: Readable, maxBytes: number, onFlood: () => void): CollectedOutput {
  const headLimit = Math.ceil((maxBytes * 3) / 4)
  const tailLimit = maxBytes - headLimit
  const head: Buffer[] = []
  let tail: Buffer[] = []
  let headBytes = 0
  let tailBytes = 0
  let dropped = 0
  let total = 0

  const keepTail = (chunk: Buffer) => {
    tail.push(chunk)
    tailBytes += chunk.length
    if (tailBytes < 2 * tailLimit + 65_536) return
    const all = Buffer.concat(tail)
    tail = [all.subarray(all.length - tailLimit)]
    dropped += all.length - tailLimit
    tailBytes = tailLimit
  }

  stream.on('data', (chunk: Buffer) => {
    const before = total
    total += chunk.length
    if (before <= maxBytes * floodFactor && total > maxBytes * floodFactor) onFlood()
    const room = headLimit - headBytes
    if (room > 0) {
      head.push(chunk.subarray(0, room))
      headBytes += Math.min(room, chunk.length)
    }
    if (chunk.length > room) keepTail(chunk.subarray(room))
  })
  // A destroyed pipe may report an error; what was read until then is all there is.
  stream.on('error', () => {})

  return {
    text: () => {
      const end = Buffer.concat(tail)
      if (dropped === 0 && end.length <= tailLimit) return Buffer.concat([...head, end]).toString('utf8')
      const kept = end.subarray(end.length - tailLimit).toString('utf8')
      return `${Buffer.concat(head).toString('utf8')}\n[output cut]\n${kept}`
    },
    truncated: () => total > maxBytes,
  }
}

/** A command that prints this many times what is kept is ended: reading on would only cost time. */
export const floodFactor = 64
