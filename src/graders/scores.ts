import type { Score } from '../schema/score.ts'
import { shorten } from '../shorten.ts'

/** A score of 1 or 0 with its reason. */
export function verdict(name: string, right: boolean, reason: string): Score {
  return { name, value: right ? 1 : 0, reason: shorten(reason) }
}

/** What a grader says when the trial left no answer. */
export function nothingLeft(name: string): Score {
  return verdict(name, false, 'nothing was left to grade')
}
