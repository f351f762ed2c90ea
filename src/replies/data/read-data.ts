import type { z } from 'zod'
import { type Fit, fitItself, fitValue } from './fitting-value.ts'
import { carriesMark, type JsonSchema, type JudgeMark, markedContent, markField } from './judge-mark.ts'
import { readLast, repeatsKey } from './read-last.ts'
import { readStrictValue, type StrictValue } from './scan-value.ts'

interface ReadDataOptions {
  /** The schema of the shape, as the agent got it: a reply that only repeats it has no value. */
  schema?: JsonSchema | undefined
  /** The mark that the value must carry. */
  mark?: JudgeMark | undefined
  /** Whether a reply in which no value carries the mark is read without it; see `mayReadUnmarked`. */
  mayBeUnmarked?: () => boolean
  /** The texts that the reply may quote. */
  quotable?: readonly string[]
}

/**
 * Reads the data of a reply: the last JSON value in it that fits the shape. Trailing commas, raw line ends in strings, comments, single
 * quotes, keys without quotes and the values of Python are forgiven; a value that is cut off is not completed. The problem says in plain
 * words why there are no data.
 */
export function readData<Reply>(
  text: string,
  shape: z.ZodType<Reply>,
  { schema, mark, mayBeUnmarked, quotable = [] }: ReadDataOptions = {},
): { data: Reply } | { problem: string } {
  if (!mark) return readLast(text, (value) => fitValue(value, shape, schema))
  const marked = readMarked(text, shape, mark, quotable)
  if (marked) return marked
  const unmarked = readLast(text, (value) => fitValue(value, shape, schema))
  if (!otherMark.test(text) && (!('data' in unmarked) || mayBeUnmarked?.())) return unmarked
  return {
    problem: `it has no JSON value with the field "${markField}": "${mark.token}". Only a value with this mark is read.`,
  }
}

/** A mark in a value. If it is not that of the ask, the value may be quoted. */
const otherMark = new RegExp(`(?:["'][\\\\]*|[{,]\\s*)${markField}(?:[\\\\]*["'])?\\s*:`, 'i')

/** Most places of the mark in a reply that are looked at, from the last one back. */
const mostMarks = 64
/** Most braces before a mark that are tried as the start of its value, from the last one back. */
const mostBraces = 256
/** Characters before a mark in which its key is sought. */
const longestKey = 60

/**
 * Reads the last value of a reply that carries the mark, wherever it stands: no text but the judge's own can hold it. What lies within it
 * is never read in its place, and neither is an earlier one. It must be strict JSON, apart from what `readStrictValue` forgives: a judge
 * that quotes a text without escapes could otherwise make fields of it. Undefined if no value carries the mark.
 */
function readMarked<Reply>(
  reply: string,
  shape: z.ZodType<Reply>,
  mark: JudgeMark,
  quotable: readonly string[],
): Fit<Reply> | undefined {
  if (!reply.includes(mark.token)) return undefined
  // The second reading is for a value whose lines all stand in a quotation. Both have the same marks in the same order.
  const texts = [reply, reply.replace(/^[ \t]*>[ \t>]*/gm, '')].map((text) => ({
    text,
    places: placesOf(text, mark.token),
  }))
  const budget = { left: 20 * reply.length + 10_000 }
  for (let i = 0; i < (texts[0]?.places.length ?? 0); i++) {
    let isInValue = false
    for (const { text, places } of texts) {
      const place = places[i] as number
      const key = keyBefore.exec(text.slice(Math.max(0, place - longestKey), place))
      if (!key) continue
      const found = findMarked(text, place, mark, budget)
      if (found) return unsafe(text, found, quotable) ?? fitMarked(found.own, shape, mark)
      isInValue ||= key[1] !== undefined
    }
    if (isInValue) return { problem: 'the value with the mark is not strict JSON, or it is cut off.' }
  }
  return undefined
}

/** The key of a mark, right before it. The group is there in a value, and not in a sentence about the mark. */
const keyBefore = new RegExp(`([{,]\\s*)?["']?${markField}["']?\\s*:\\s*["']$`)

/** Returns the places of a word in a text, the last one first. */
function placesOf(text: string, word: string): number[] {
  const places: number[] = []
  for (let at = text.lastIndexOf(word); at >= 0 && places.length < mostMarks; ) {
    places.push(at)
    at = at === 0 ? -1 : text.lastIndexOf(word, at - 1)
  }
  return places
}

/** A value that carries the mark. */
interface Marked {
  own: StrictValue
  /** Values around it that do not carry the mark, inner ones first. */
  around: StrictValue[]
}

/** Finds the outermost value around a place that carries the mark. What stands before it, such as an odd quote, changes nothing. */
function findMarked(
  text: string,
  place: number,
  mark: JudgeMark,
  budget: { left: number },
): Marked | undefined {
  let own: StrictValue | undefined
  let around: StrictValue[] = []
  let start = place
  for (let tried = 0; tried < mostBraces && start > 0 && budget.left > 0; tried++) {
    start = text.lastIndexOf('{', start - 1)
    if (start < 0) break
    const found = readStrictValue(text, start)
    budget.left -= found ? found.end - start : place - start
    if (!found || found.end <= place) continue
    if (carriesMark(found.value, mark)) {
      own = found
      around = []
    } else around.push(found)
  }
  return own && { own, around }
}

/** Returns the problem of a value that the judge may not have written as it stands, since it quotes a text without escapes. */
function unsafe(
  text: string,
  { own, around }: Marked,
  quotable: readonly string[],
): { problem: string } | undefined {
  if (own.repeatedKey !== undefined) return repeatsKey(own.repeatedKey)
  // A quoted text may end one value and begin another, but it has no mark.
  const isFirst = Object.keys(own.value as object)[0] === markField
  const before = text.slice(0, (around.at(-1) ?? own).start)
  if (!isFirst && before.includes('{'))
    return { problem: `"${markField}" is not the first field of its value.` }
  const rest = text.slice(own.end)
  const endsInQuotation = rest.includes('{') && hasQuotedEnd(text.slice(own.start, own.end), quotable)
  return endsInQuotation || isFollowedByRest(rest, around.length)
    ? { problem: 'the rest of a value follows the value with the mark. Escape the quotes within texts.' }
    : undefined
}

function fitMarked<Reply>({ value }: StrictValue, shape: z.ZodType<Reply>, mark: JudgeMark): Fit<Reply> {
  const marked = markedContent(value, mark)
  return marked ? fitItself(marked.content, shape) : { problem: 'value: it is missing.' }
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
