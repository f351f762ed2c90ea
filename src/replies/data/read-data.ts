import { z } from 'zod'
import { takesDataBack } from '../answers/withdrawal.ts'
import { type Fit, fitItself, fitValue, mend, repeatsKey } from './fitting-value.ts'
import { carriesMark, type JsonSchema, type JudgeMark, markedContent, markField } from './judge-mark.ts'
import { mostBehind, readLast, takenBack } from './read-last.ts'
import { findValue, parseValue, type Scan } from './scan-value.ts'

interface ReadDataOptions {
  /** The schema of the shape, as the agent got it: a reply that only repeats it has no value. */
  schema?: JsonSchema | undefined
  /** The mark that the value must carry. */
  mark?: JudgeMark | undefined
  /** Whether no text that the reply may quote names a field of the value; see `mayReadUnmarked`. */
  mayBeUnmarked?: () => boolean
  /** The texts that the reply may quote. */
  quotable?: readonly string[]
}

/**
 * Reads the data of a reply: the last JSON value in it that fits the shape. What is nearly JSON is repaired, and `repairs` says how:
 * quotes, commas, comments, the case of keys; a value that is cut off is not completed. The problem says in plain words why there are
 * no data.
 */
export function readData<Reply>(
  text: string,
  shape: z.ZodType<Reply>,
  { schema, mark, mayBeUnmarked = () => false, quotable = [] }: ReadDataOptions = {},
): { data: Reply; repairs?: readonly string[] } | { problem: string } {
  const own = schema ?? (z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  const read = mark
    ? readJudged(text, shape, { own, mark, mayBeUnmarked, quotable })
    : readPlain(text, shape, own)
  return 'problem' in read
    ? read
    : { data: read.data, ...(read.repairs.length > 0 && { repairs: read.repairs }) }
}

const readPlain = <Reply>(text: string, shape: z.ZodType<Reply>, schema: JsonSchema) =>
  readLast(text, (value) => fitValue(value, shape, schema))

interface Judged {
  own: JsonSchema
  mark: JudgeMark
  mayBeUnmarked: () => boolean
  quotable: readonly string[]
}

function readJudged<Reply>(text: string, shape: z.ZodType<Reply>, judged: Judged): Fit<Reply> {
  const marked = readMarked(text, shape, judged)
  if (marked) return marked
  const unmarked = readPlain(text, shape, judged.own)
  if (!otherMark.test(text) && (!('data' in unmarked) || judged.mayBeUnmarked())) return unmarked
  return {
    problem: `it has no JSON value with the field "${markField}": "${judged.mark.token}". Only a value with this mark is read.`,
  }
}

/** A mark in a value. If it is not that of the ask, the value may be quoted. */
const otherMark = new RegExp(`(?:["'“”„‘’][\\\\]*|[{,]\\s*)${markField}(?:[\\\\]*["'“”‘’])?\\s*:`, 'i')

/** Most places of the mark in a reply that are looked at, from the last one back. */
const mostMarks = 64
/** Most braces before a mark that are tried as the start of its value, from the last one back. */
const mostBraces = 256
/** Characters before a mark in which its key is sought. */
const longestKey = 60

/**
 * Reads the last value of a reply that carries the mark, wherever it stands: no text but the judge's own can hold it. What lies within it
 * is never read in its place, and neither is an earlier one. If it may quote a text that names a field, it must be strict JSON but for
 * commas, line ends and backslashes: a judge that quotes without escapes could otherwise make fields of it. Undefined if no value carries
 * the mark.
 */
function readMarked<Reply>(reply: string, shape: z.ZodType<Reply>, judged: Judged): Fit<Reply> | undefined {
  const { mark, own } = judged
  if (!reply.includes(mark.token)) return undefined
  // The second reading is for a value whose lines all stand in a quotation. Both have the same marks in the same order.
  const texts = [reply, reply.replace(/^[ \t]*>[ \t>]*/gm, '')].map((text) => ({
    text,
    places: placesOf(text, mark.token),
  }))
  const search = { mark, left: 20 * reply.length + 10_000, isLoose: judged.mayBeUnmarked() }
  for (let i = 0; i < (texts[0]?.places.length ?? 0); i++) {
    let isInValue = false
    for (const { text, places } of texts) {
      const place = places[i] as number
      const key = keyBefore.exec(text.slice(Math.max(0, place - longestKey), place))
      if (!key) continue
      const found = findMarked(text, place, search)
      if (found) {
        const unsafe = problemOf(text, found, judged.quotable)
        if (unsafe) return unsafe
        if (takesDataBack(text.slice(found.scan.end, found.scan.end + mostBehind))) return takenBack
        const marked = markedContent(found.value, mark)
        const fit = marked ? fitItself(marked.content, shape, own) : { problem: 'value: it is missing.' }
        return 'problem' in fit ? fit : { ...fit, repairs: [...found.repairs, ...fit.repairs] }
      }
      isInValue ||= key[1] !== undefined
    }
    if (isInValue) return { problem: 'the value with the mark is not strict JSON, or it is cut off.' }
  }
  return undefined
}

/** The key of a mark, right before it. The group is there in a value, and not in a sentence about the mark. */
const keyBefore = new RegExp(`([{,]\\s*)?["'“”„‘’]?${markField}["'“”‘’]?\\s*:\\s*["'“”„‘’]$`, 'i')

/** Returns the places of a word in a text, the last one first. */
function placesOf(text: string, word: string): number[] {
  const places: number[] = []
  for (let at = text.lastIndexOf(word); at >= 0 && places.length < mostMarks; ) {
    places.push(at)
    at = at === 0 ? -1 : text.lastIndexOf(word, at - 1)
  }
  return places
}

/** A value that carries the mark, and the starts of those around it that do not, inner ones first. */
interface Marked {
  scan: Scan
  value: Record<string, unknown>
  repairs: readonly string[]
  around: number[]
}

/** Finds the outermost value around a place that carries the mark. What stands before it, such as an odd quote, changes nothing. */
function findMarked(
  text: string,
  place: number,
  search: { mark: JudgeMark; left: number; isLoose: boolean },
): Marked | undefined {
  const { mark, isLoose } = search
  const keys = { properties: { [markField]: {}, ...(mark.isWrapped && { value: {} }) } }
  let own: Marked | undefined
  let start = place
  for (let tried = 0; tried < mostBraces && start > 0 && search.left > 0; tried++) {
    start = text.lastIndexOf('{', start - 1)
    if (start < 0) break
    const scan = findValue(text, start, isLoose)
    search.left -= Math.max(scan.end, place) - start
    if (scan.outcome !== 'value' || scan.end <= place || (!isLoose && scan.faults.size > 0)) continue
    const parsed = parseValue(text, scan)
    const mended = parsed && mend(parsed.value, keys)
    if (!mended || 'problem' in mended) continue
    const { value, repairs } = mended
    if (carriesMark(value, mark)) own = { scan, value, repairs: [...parsed.faults, ...repairs], around: [] }
    else own?.around.push(start)
  }
  return own
}

/** Returns the problem of a value that the judge may not have written as it stands, since it quotes a text without escapes. */
function problemOf(
  text: string,
  { scan, value, around }: Marked,
  quotable: readonly string[],
): { problem: string } | undefined {
  if (scan.repeatedKey !== undefined) return repeatsKey(scan.repeatedKey)
  // A quoted text may end one value and begin another, but it has no mark.
  const isFirst = Object.keys(value)[0] === markField
  const before = text.slice(0, around.at(-1) ?? scan.start)
  if (!isFirst && before.includes('{'))
    return { problem: `"${markField}" is not the first field of its value.` }
  const rest = text.slice(scan.end)
  const endsInQuotation = rest.includes('{') && hasQuotedEnd(text.slice(scan.start, scan.end), quotable)
  return endsInQuotation || isFollowedByRest(rest, around.length)
    ? { problem: 'the rest of a value follows the value with the mark. Escape the quotes within texts.' }
    : undefined
}

/** Whether a text that may be quoted has the end of a value, from a quote on that ends a string before a field. */
function hasQuotedEnd(value: string, quotable: readonly string[]): boolean {
  const quotes = [...value.matchAll(/"\s*,\s*"/g)].at(-1)
  return quotes !== undefined && quotable.some((text) => text.includes(value.slice(quotes.index)))
}

/** Whether a text closes more objects than are open, as the rest of a value that ended too early does. */
function isFollowedByRest(rest: string, open: number): boolean {
  let depth = open
  for (const { 0: brace, index } of rest.matchAll(/[{}]/g)) {
    if (brace === '{') depth++
    else if (depth > 0) depth--
    else if (/["\]}\de]\s{0,20}$/.test(rest.slice(Math.max(0, index - 21), index))) return true
  }
  return false
}
