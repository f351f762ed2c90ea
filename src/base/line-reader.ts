interface LineReader {
  /** Returns the lines that end in a chunk. */
  add(chunk: Buffer): Buffer[]
  /** The beginning of the line that has not ended. */
  begun(): Buffer
}

/** How much is shown of a line that has not ended; bytes. */
const shownBytes = 400

/**
 * Creates a reader of lines. A line of more than `longest` bytes is never put together: `onTooLong` is called once for it, and the rest of it
 * is dropped.
 */
export function createLineReader(longest: () => number, onTooLong: () => void): LineReader {
  let parts: Buffer[] = []
  let length = 0
  let isTooLong = false
  const keep = (part: Buffer) => {
    if (isTooLong) return
    length += part.length
    if (length <= longest()) parts.push(part)
    else {
      isTooLong = true
      parts = []
      onTooLong()
    }
  }
  return {
    add(chunk) {
      const lines: Buffer[] = []
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        keep(chunk.subarray(from, at))
        if (!isTooLong) lines.push(Buffer.concat(parts))
        parts = []
        length = 0
        isTooLong = false
        from = at + 1
      }
      keep(chunk.subarray(from))
      return lines
    },
    begun: () => Buffer.concat(parts).subarray(0, shownBytes),
  }
}
