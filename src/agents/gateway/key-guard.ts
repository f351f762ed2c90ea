import { Transform } from 'node:stream'
import { createRedactor } from '../../text/redact.ts'
import { encodedForms } from '../../text/redact-forms.ts'

/** Replaces the key by its stand-in where a provider repeats it, as it is or in a common encoding. */
export interface KeyGuard {
  /** Guards one text. */
  text(text: string): string
  /** Whether a header's name, in which all letters are small, may hold the key. */
  isInName(name: string): boolean
  /** Returns a stream that guards bytes in chunks. */
  stream(): Transform
}

/** Characters that one character of the key takes in its longest known encoding. */
const longestForm = 12

/** Creates a guard for one key. It changes nothing without a key, or if the key is too short to distinguish from other text. */
export function createKeyGuard(key: string | undefined): KeyGuard {
  // Where letters have no case, a server hands on all of them small or large.
  const cases = key === undefined ? [] : [...new Set([key, key.toLowerCase(), key.toUpperCase()])]
  const redactor = createRedactor(cases.map((value) => ({ name: keyStandIn, value })))
  if (key === undefined || !redactor)
    return { text: (text) => text, isInName: () => false, stream: () => new Transform({ transform: asItIs }) }
  const small = [...encodedForms(key)].map((form) => form.toLowerCase())
  const text = (text: string) => redactor.text(text).replaceAll(`[redacted ${keyStandIn}]`, keyStandIn)
  const isInName = (name: string) => small.some((form) => name.toLowerCase().includes(form))
  return { text, isInName, stream: () => guardedStream(text, key.length * longestForm, !/\s/.test(key)) }
}

const asItIs: Transform['_transform'] = (chunk, _, done) => done(null, chunk)

/**
 * Holds back what could be the beginning of the key: the text after the last white space, up to the longest encoding. Text without white
 * space is searched only when twice as much of it has come, so that each character is searched at most three times.
 */
function guardedStream(guard: (text: string) => string, longest: number, hasNoSpace: boolean): Transform {
  let held = ''
  return new Transform({
    transform(chunk: Buffer, _, done) {
      // Latin-1 maps every byte to one character, so text in any encoding passes unchanged.
      const piece = chunk.toString('latin1')
      held += piece
      if (held.length <= 2 * longest && !(hasNoSpace && /\s/.test(piece))) return done()
      const text = guard(held)
      const free = hasNoSpace ? afterLastSpace(text, longest) : Math.max(0, text.length - longest)
      held = text.slice(free)
      done(null, Buffer.from(text.slice(0, free), 'latin1'))
    },
    flush: (done) => done(null, Buffer.from(guard(held), 'latin1')),
  })
}

function afterLastSpace(text: string, most: number): number {
  const first = Math.max(0, text.length - most)
  let at = text.length
  while (at > first && !/\s/.test(text[at - 1] as string)) at--
  return at
}

/** The stand-in that a CLI gets instead of the key. The gateway replaces it by the key, so that no program ever holds the key. */
export const keyStandIn = 'bench-gateway-key'
