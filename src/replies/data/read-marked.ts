import type { z } from 'zod'
import { findValues, type Span } from './find-values.ts'
import { type Fit, fitValue } from './fitting-value.ts'
import { type JsonSchema, type JudgeMark, markedContent } from './judge-mark.ts'
import { parseValue } from './parse-value.ts'
import { splitPlaces } from './places.ts'

/** Most places of the mark in a reply that are looked at, from the last one back. */
const mostMarks = 64

/**
 * Reads the last value of a reply that carries the mark and fits the shape, wherever it stands: no text but the judge's own can hold it.
 * Undefined if no value carries the mark.
 */
export function readMarked<Reply>(
  reply: string,
  shape: z.ZodType<Reply>,
  schema: JsonSchema | undefined,
  mark: JudgeMark,
): Fit<Reply> | undefined {
  if (!reply.includes(mark.token)) return undefined
  let problem: string | undefined
  // The whole reply, too: a value with raw line ends may lie in several parts.
  for (const text of [...splitPlaces(reply).map((part) => part.text), reply].reverse()) {
    if (!text.includes(mark.token)) continue
    const { objects } = findValues(text)
    for (const place of placesOf(text, mark.token)) {
      const span = innermost(objects, place)
      const parsed = span && parseValue(text.slice(span.start, span.end))
      const marked = parsed && markedContent(parsed.value, mark)
      if (!marked) continue
      const read = fitValue(marked.content, shape, schema)
      if ('data' in read) return read
      problem ??= read.problem
    }
  }
  return problem === undefined ? undefined : { problem }
}

/** Returns the places of a word in a text, the last one first. */
function placesOf(text: string, word: string): number[] {
  const places: number[] = []
  for (let at = text.lastIndexOf(word); at >= 0 && places.length < mostMarks; ) {
    places.push(at)
    at = at === 0 ? -1 : text.lastIndexOf(word, at - 1)
  }
  return places
}

function innermost(objects: readonly Span[], place: number): Span | undefined {
  let found: Span | undefined
  for (const span of objects)
    if (span.start < place && place < span.end && (!found || span.start > found.start)) found = span
  return found
}
