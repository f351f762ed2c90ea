import type { TrialRecord } from '../../schema/ledger/record.ts'

/** What a record says of its trial's lines in the ledger: how many there were, and the CRC-32 of their texts, one after the other. */
export interface LedgerMark {
  lines: number
  sum: number
}

/** The mark of a trial that has no line yet. */
export const emptyMark = (): LedgerMark => ({ lines: 0, sum: 0 })

/** The mark as a record bears it. */
export function markText({ lines, sum }: LedgerMark): Pick<TrialRecord['wall'], 'steps' | 'stepsSum'> {
  return { steps: lines, stepsSum: sum.toString(16) }
}

/** The mark that a record bears. */
export function markOf(record: Record<string, unknown>): LedgerMark {
  const { steps, stepsSum } = (record.wall ?? {}) as TrialRecord['wall']
  return { lines: steps ?? 0, sum: Number.parseInt(stepsSum ?? '0', 16) }
}
