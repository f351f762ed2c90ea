import type { TrialRecord } from '../../schema/ledger/record.ts'

/** Returns the result of a trial in words: `passed`, `not passed`, `ungraded`, or why it is missing. */
export function resultOf({ outcome, passed }: Pick<TrialRecord, 'outcome' | 'passed'>): string {
  if (outcome.status === 'error' || outcome.status === 'cancelled') return `missing (${outcome.status})`
  if (passed === null) return 'ungraded'
  return passed ? 'passed' : 'not passed'
}
