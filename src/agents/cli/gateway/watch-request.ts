import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** What a program asked, as far as it tells whether it asks the same again. */
export interface AskedRequest {
  /** A hash of path and body: equal for equal requests. */
  hash: string
  /** It asks for a stream of events. */
  asksStream: boolean
}

// In a prompt inside JSON there are backslashes before the quotes.
const streamField = /"stream"\s{0,8}:\s{0,8}true/

/** Characters that a field may have on both sides of the end of a piece. */
const longestField = 40

/** Reads a request while its body passes, and calls `onAsked` when it is whole. */
export function watchRequest(path: string, body: Readable, onAsked: (asked: AskedRequest) => void): void {
  const hash = createHash('sha256').update(`${path}\n`)
  let asksStream = path.includes(':streamGenerateContent')
  let end = ''
  body.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    if (asksStream) return
    const text = end + chunk.toString('latin1')
    asksStream = streamField.test(text)
    end = text.slice(-longestField)
  })
  body.on('end', () => onAsked({ hash: hash.digest('base64'), asksStream }))
}
