import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import { shorten } from '../../text/shorten.ts'

/** Words that a person may mean as yes, or as abort, and that say nothing about what should change. */
const unclear = new Set(
  `y yep yeah yea yup yes ok okay okey k sure fine good great right correct approve approves approved accept accepted agree agreed
  proceed continue go lgtm n no nah nope not reject rejects rejected deny denied decline declined disagree wrong bad stop halt cancel
  cancelled quit exit abort aborted`.split(/\s+/),
)

/**
 * Parses what a person says: `yes`, `abort`, or else what should change. Returns undefined for a text without words, and for a
 * word alone that may mean either.
 */
export function parseAnswer(text: string): ApprovalAnswer | undefined {
  const said = text.trim()
  const word = said.toLowerCase()
  if (word === 'yes') return { decision: 'approved', feedback: '' }
  if (word === 'abort') return { decision: 'abort', feedback: '' }
  return answerProblem(said) === undefined ? { decision: 'feedback', feedback: said } : undefined
}

/** Returns why a text that is neither `yes` nor `abort` is no answer; undefined for feedback. */
export function answerProblem(text: string): string | undefined {
  if (text.trim() === '') return 'is empty'
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.every((word) => unclear.has(word)) ? `"${shorten(text.trim())}" alone is unclear` : undefined
}

/** What to answer instead. */
export const answerFix = 'Write yes, abort, or say what should change.'

/** Returns an answer as a person writes it. */
export function answerText({ decision, feedback }: ApprovalAnswer): string {
  return decision === 'approved' ? 'yes' : decision === 'abort' ? 'abort' : feedback
}
