import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'

/** Parses what a person says: `yes`, `abort`, or else what should change. Returns undefined for a text without words. */
export function parseAnswer(text: string): ApprovalAnswer | undefined {
  const said = text.trim()
  if (said === '') return undefined
  const word = said.toLowerCase()
  if (word === 'yes') return { decision: 'approved', feedback: '' }
  if (word === 'abort') return { decision: 'abort', feedback: '' }
  return { decision: 'feedback', feedback: said }
}

/** Returns an answer as a person writes it. */
export function answerText({ decision, feedback }: ApprovalAnswer): string {
  return decision === 'approved' ? 'yes' : decision === 'abort' ? 'abort' : feedback
}
