import { crc32 } from 'node:zlib'

/** What a record says of its trial's lines in the ledger: how many there were, and the CRC-32 of their texts, one after the other. */
export interface LedgerMark {
  lines: number
  sum: number
}

/** The mark of a trial that has no line yet. */
export const emptyMark = (): LedgerMark => ({ lines: 0, sum: 0 })

/** Counts a line, as it stands in the file. */
export function addLine(mark: LedgerMark, line: string): void {
  mark.lines++
  mark.sum = crc32(line, mark.sum)
}

/** The mark that a record bears; undefined where it is from before there were marks. */
export function markOf(record: Record<string, unknown>): LedgerMark | undefined {
  const { steps, stepsSum } = (record.wall ?? {}) as Record<string, unknown>
  if (typeof steps !== 'number' || typeof stepsSum !== 'string') return undefined
  return { lines: steps, sum: Number.parseInt(stepsSum, 16) }
}
