import { isObject } from '../../text/is-object.ts'
import { isNoError } from './error-in.ts'
import type { Json } from './json.ts'

/** Counts that no library refuses. bench reads the real ones off the wire itself. */
export const noUsage = { input_tokens: 0, output_tokens: 0 }

/**
 * Returns a part of a reply without what would make a library refuse or misread it: counts, an empty error, and an empty
 * finish reason; the part itself if it has nothing of this.
 */
export function mendedPart(part: unknown): unknown {
  if (!isObject(part)) return part
  return withoutCounts(withoutBlankReason(withoutNoError(part)))
}

/** Some servers send `"error": null` with each part. A library takes the name alone for an error. */
function withoutNoError(part: Json): Json {
  if (!('error' in part) || !isNoError(part.error)) return part
  const { error: _, ...rest } = part
  return rest
}

function withoutBlankReason(part: Json): Json {
  const { choices } = part
  if (!Array.isArray(choices) || !choices.some(hasBlankReason)) return part
  return {
    ...part,
    choices: choices.map((one) => (hasBlankReason(one) ? { ...one, finish_reason: null } : one)),
  }
}

/** Whether a choice has the empty text where others have no finish reason yet. */
export const hasBlankReason = (choice: unknown): boolean => isObject(choice) && choice.finish_reason === ''

/** Where a library wants counts, it gets zeros. */
function withoutCounts(part: Json): Json {
  if (part.type === 'message_start' && isObject(part.message))
    return { ...part, message: { ...part.message, usage: noUsage } }
  if (part.type === 'message_delta') return { ...part, usage: noUsage }
  if (typeof part.type === 'string' && isObject(part.response) && 'usage' in part.response)
    return { ...part, response: { ...part.response, usage: noUsage } }
  if (!('usage' in part) && !('usageMetadata' in part)) return part
  const { usage: _, usageMetadata: __, ...rest } = part
  return rest
}
