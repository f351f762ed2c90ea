import type { z } from 'zod'
import { fitValue } from './fitting-value.ts'
import { type JsonSchema, type JudgeMark, markField } from './judge-mark.ts'
import { readLast } from './read-last.ts'
import { readMarked } from './read-marked.ts'

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
