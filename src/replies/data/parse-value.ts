import { jsonrepair } from 'jsonrepair'
import { findRepeatedKey, parseStrictly } from './scan-value.ts'

/** Longest text that is repaired, in characters. */
const longestRepair = 200_000

/** A value, and a key that an object in it has twice. */
export interface ParsedValue {
  value: unknown
  repeatedKey: string | undefined
}

/**
 * Parses a value that `scanValue` found whole: strictly, or else, with `forgives`, without what is forgiven. That adds no value, since
 * each value and each bracket stands in the text. Undefined where that fails, too.
 */
export function parseValue(text: string, forgives: boolean): ParsedValue | undefined {
  const parsed = parseStrictly(text)
  if (parsed) return { ...parsed, repeatedKey: findRepeatedKey(text) }
  if (!forgives || text.length > longestRepair) return undefined
  const json = repair(text)
  const repaired = json === undefined ? undefined : parseStrictly(json)
  return repaired && { ...repaired, repeatedKey: findRepeatedKey(json as string) }
}

function repair(text: string): string | undefined {
  try {
    return jsonrepair(text)
  } catch {
    return undefined
  }
}
