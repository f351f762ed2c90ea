import { boundedMatch } from '../bounded-match.ts'
import { announcedAnswer } from './announced-answer.ts'
import type { FinalAnswer } from './headed-answer.ts'
import { lastLine } from './last-line.ts'

/** Returns the final answer of a reply, as `readAnswer` finds it. Undefined if the reply gives no answer. */
export function extractAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): string | undefined {
  return readAnswer(reply, patterns)?.text
}

/**
 * Finds the final answer in a reply, and says where it stood. With patterns, the first that matches wins: the first group of its last
 * match. Without patterns, or if none matches: the last announcement (`Answer: …`, `the answer is …`, `\boxed{…}`, `<answer>…`, or
 * `#### …` on the last line), else the last line. Undefined if the reply is empty, or if its last line is one item of a list or a remark.
 */
export function readAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): FinalAnswer | undefined {
  if (reply === undefined) return undefined
  const found = matchPatterns(reply, patterns) ?? announcedAnswer(reply, false) ?? lastLine(reply)
  return found?.text === '' ? undefined : found
}

const longestForPatterns = 65_536

/** Returns what the first pattern that matches finds: an empty text if its group is empty. */
export function matchPatterns(reply: string, patterns: readonly string[]): FinalAnswer | undefined {
  const text = reply.slice(-longestForPatterns).trim()
  for (const pattern of text === '' ? [] : patterns) {
    const match = boundedMatch(text, pattern, 'im')
    if (match === null || match === 'too-long') continue
    return { text: (match[1] ?? match[0] ?? '').trim(), found: `what the pattern ${pattern} matches` }
  }
  return undefined
}
