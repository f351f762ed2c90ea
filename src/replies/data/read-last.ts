import { findValues } from './find-values.ts'
import type { Fit } from './fitting-value.ts'
import { type ParsedValue, parseValue } from './parse-value.ts'
import { codeSpans, type Part, type Place, splitPlaces } from './places.ts'
import { scanValue } from './scan-value.ts'

/** A text that may be the wanted value. */
interface Candidate {
  place: Place
  text: string
}

const places: readonly Place[] = ['plain', 'quoted', 'code']

/** Most values of a reply that are tried, from the last one back. */
const mostTried = 1_000

/**
 * Reads the last value of a reply that fits: of those in plain places, else of quoted ones, else of blocks of code. An empty list or
 * object counts only where no other value fits, since prose has such brackets too.
 */
export function readLast<Reply>(reply: string, read: (value: unknown) => Fit<Reply>): Fit<Reply> {
  const whole = readWhole(reply.trim(), read)
  if (whole) return whole
  const { candidates, isCut } = findCandidates(reply)
  let problem: string | undefined
  for (const place of places) {
    const here = candidates.filter((one) => one.place === place).slice(-mostTried)
    const [empty, filled] = [here.filter(isEmpty), here.filter((one) => !isEmpty(one))]
    for (const { text } of [...filled.reverse(), ...empty.reverse()]) {
      const parsed = parseValue(text, place !== 'code')
      if (!parsed) continue
      const fit = fitParsed(parsed, read)
      if ('data' in fit) return fit
      problem ??= fit.problem
    }
  }
  return { problem: problem ?? problemWithout(reply, candidates, isCut) }
}

/** Reads a reply that is one value and nothing else, also one without brackets. */
function readWhole<Reply>(reply: string, read: (value: unknown) => Fit<Reply>): Fit<Reply> | undefined {
  const isBracketed = /^[{[]/.test(reply)
  if (isBracketed && !isWhole(reply)) return undefined
  const parsed = parseValue(reply, isBracketed)
  return parsed && fitParsed(parsed, read)
}

const fitParsed = <Reply>({ value, repeatedKey }: ParsedValue, read: (value: unknown) => Fit<Reply>) =>
  repeatedKey === undefined ? read(value) : repeatsKey(repeatedKey)

/** Returns the problem of a value that has a key twice. */
export const repeatsKey = (key: string) => ({
  problem: `it has the key ${JSON.stringify(key)} twice in one object.`,
})

function isWhole(reply: string): boolean {
  const { outcome, end } = scanValue(reply, 0)
  return outcome === 'value' && end === reply.length
}

function findCandidates(reply: string): { candidates: Candidate[]; isCut: boolean } {
  let isCut = false
  const candidates = splitPlaces(reply).flatMap((part) => {
    const found = findValues(part.text)
    isCut = part.place === 'plain' && (found.isCut || (isCut && found.values.length === 0))
    const values = placed(part, found.values)
    return values.length > 0 || !part.isBlock ? values : [{ place: part.place, text: part.text.trim() }]
  })
  return { candidates, isCut }
}

/** Returns the texts of values with their places. What lies within inline code is quoted. */
function placed(
  { place, text, isBlock }: Part,
  values: readonly { start: number; end: number }[],
): Candidate[] {
  const spans = place === 'plain' && !isBlock && values.length > 0 ? codeSpans(text) : []
  let next = 0
  return values.map(({ start, end }) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    const span = spans[next]
    const isInside = span !== undefined && span.start < start && end < span.end
    return { place: isInside ? 'quoted' : place, text: text.slice(start, end) }
  })
}

const isEmpty = ({ text }: Candidate) => /^(?:\{\s*\}|\[\s*\])$/.test(text)

function problemWithout(reply: string, candidates: readonly Candidate[], isCut: boolean): string {
  if (reply.trim() === '') return 'it is empty.'
  if (isCut) return 'its JSON value is cut off: its last bracket is missing.'
  return candidates.length > 0 || /[{[]/.test(reply) ? 'it is not valid JSON.' : 'it holds no JSON value.'
}
