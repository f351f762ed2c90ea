import { jsonrepair } from 'jsonrepair'

/** Longest text that is repaired, in characters. */
const longestRepair = 200_000

/**
 * Parses a value that `scanValue` found whole: strictly, or else without what is forgiven. That adds no value, since each value and each
 * bracket stands in the text. Undefined where that fails, too.
 */
export function parseValue(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    if (text.length > longestRepair) return undefined
  }
  try {
    return { value: JSON.parse(jsonrepair(text)) }
  } catch {
    return undefined
  }
}
