import type { Score } from '../schema/score.ts'

const longestReason = 600

/** A score of 1 or 0 with its reason. */
export function verdict(name: string, right: boolean, reason: string): Score {
  return { name, value: right ? 1 : 0, reason: shorten(reason) }
}

/** What a grader says when the trial left no answer. */
export function nothingLeft(name: string): Score {
  return verdict(name, false, 'nothing was left to grade')
}

/** At most some 600 characters of a text, the middle left out. */
export function shorten(text: string, longest = longestReason): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 3) / 2)
  return `${sliceWhole(text, 0, half)} … ${sliceWhole(text, text.length - half, text.length)}`
}

/** A slice that cuts no character in two. */
function sliceWhole(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
