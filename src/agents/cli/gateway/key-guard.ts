import { Transform } from 'node:stream'
import { createRedactor } from '../../../text/redact.ts'

/** Puts the stand-in back where a provider repeats the key, as it is or in one of its usual encodings. */
export interface KeyGuard {
  text(text: string): string
  /** The same for bytes that come in pieces. */
  stream(): Transform
}

/** The longest encoding that is looked for, by the character. */
const longestForm = 12

/** A guard for one key; one that changes nothing where there is no key, or a shorter one than can be told from other text. */
export function createKeyGuard(key: string | undefined): KeyGuard {
  const redactor = key === undefined ? undefined : createRedactor([{ name: keyStandIn, value: key }])
  if (key === undefined || !redactor)
    return { text: (text) => text, stream: () => new Transform({ transform: asItIs }) }
  const text = (text: string) => redactor.text(text).replaceAll(`[redacted ${keyStandIn}]`, keyStandIn)
  return { text, stream: () => guardedStream(text, key.length * longestForm, !/\s/.test(key)) }
}

const asItIs: Transform['_transform'] = (chunk, _, done) => done(null, chunk)

/** Holds back what could be the beginning of the key: what follows the last white space, and of that so much. */
function guardedStream(guard: (text: string) => string, longest: number, hasNoSpace: boolean): Transform {
  let held = ''
  return new Transform({
    transform(chunk: Buffer, _, done) {
      // Every byte is a character of its own, so that no text in any encoding is changed.
      const text = guard(held + chunk.toString('latin1'))
      const free = hasNoSpace ? afterLastSpace(text, longest) : Math.max(0, text.length - longest)
      held = text.slice(free)
      done(null, Buffer.from(text.slice(0, free), 'latin1'))
    },
    flush: (done) => done(null, Buffer.from(held, 'latin1')),
  })
}

/** Where the text after the last white space begins; at most so many characters before the end. */
function afterLastSpace(text: string, most: number): number {
  const first = Math.max(0, text.length - most)
  let at = text.length
  while (at > first && !/\s/.test(text[at - 1] as string)) at--
  return at
}

/** What a CLI is given in place of the key. The gateway puts the key where this stands, so that no program ever holds it. */
export const keyStandIn = 'bench-gateway-key'
