import { createHash } from 'node:crypto'

/** What a program asked, as far as it tells whether it asks the same again. */
export interface AskedRequest {
  /** A hash of path and body: equal for equal requests. */
  hash: string
  /** It asks for a stream of events. */
  asksStream: boolean
}

// In a prompt inside JSON there are backslashes before the quotes.
const streamField = /"stream"\s{0,8}:\s{0,8}true/

/** Reads what a request asks. */
export const askedRequest = (path: string, body: Buffer): AskedRequest => ({
  hash: createHash('sha256').update(`${path}\n`).update(body).digest('base64'),
  asksStream: path.includes(':streamGenerateContent') || streamField.test(body.toString('latin1')),
})
