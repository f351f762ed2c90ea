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

/** The longest feedback of a file, as of a line of a terminal. */
const longestFeedback = 4095

/**
 * Parses a line of a file of answers: `yes`, `abort`, or `feedback: TEXT`. Returns why it is none otherwise, without
 * quoting it: the file may be another one than was meant.
 */
export function parseAnswerLine(line: string): ApprovalAnswer | string {
  const [, feedback] = /^feedback:(.*)$/i.exec(line.trim()) ?? []
  const word = line.trim().toLowerCase()
  if (feedback === undefined) {
    if (word === 'yes') return { decision: 'approved', feedback: '' }
    if (word === 'abort') return { decision: 'abort', feedback: '' }
    return 'this is no answer'
  }
  const said = feedback.trim()
  if (said.length > longestFeedback) return `the feedback has more than ${longestFeedback} characters`
  if (/[\p{Cc}\p{Cs}]/u.test(said.replaceAll('\t', ' '))) return 'the feedback has control characters'
  const problem = answerProblem(said)
  return problem === undefined ? { decision: 'feedback', feedback: said } : `the feedback ${problem}`
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
