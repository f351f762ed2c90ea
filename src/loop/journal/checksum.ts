import { crc32 } from 'node:zlib'
import type { TrialRecord } from '../../schema/ledger/record.ts'

/*
 * A line with a checksum ends with the CRC-32 of all text before it, so that a flipped bit is found. Records always have one,
 * and so do all lines of a live run. The lines of a dev run can be computed again from the seed; the checksum in the record covers them.
 */
const lead = ',"sum":"'
const sumDigits = 8

/** The result of checking a line's checksum. */
export type ChecksumState = 'valid' | 'invalid' | 'missing'

/** Returns the line of JSON with its checksum as the last field. In a record that is inside `wall`, which may differ between equal runs. */
export function addTimesum(line: string, closing: '}' | '}}' = '}'): string {
  const open = line.slice(0, -closing.length)
  return `${open}${lead}${sumOf(open)}"${closing}`
}

/** Checks the checksum of a line. */
export function verifyChecksum(line: Buffer): ChecksumState {
  const tail = line.toString('latin1', Math.max(0, line.length - longestTail))
  const text = tail.trimEnd()
  const closing = text.at(-2) === '}' ? '"}}' : '"}'
  const sum = text.length - closing.length - sumDigits
  const open = sum - lead.length
  if (open < 0 || !text.startsWith(lead, open)) return 'missing'
  const before = line.subarray(0, line.length - tail.length + open)
  return text.slice(sum, sum + sumDigits) === sumOf(before) ? 'valid' : 'invalid'
}

/** Bytes at the end of a line among which its checksum is, with room for white space that an editor left. */
const longestTail = 64

const sumOf = (open: string | Buffer) => crc32(open).toString(16).padStart(sumDigits, '0')

/** The checksum of a trial's lines in the ledger, as its record holds it: their number, and the CRC-32 of their concatenated texts. */
export interface LedgerChecksum {
  lines: number
  sum: number
}

/** Returns the checksum of a trial without lines. */
export const emptyLedgerChecksum = (): LedgerChecksum => ({ lines: 0, sum: 0 })

/** Returns the fields of a record that hold the checksum. */
export function checksumFields({
  lines,
  sum,
}: LedgerChecksum): Pick<TrialRecord['wall'], 'steps' | 'stepsSum'> {
  return { steps: lines, stepsSum: sum.toString(16) }
}

/** Returns the ledger checksum that a record holds. */
export function ledgerChecksumOf(record: Record<string, unknown>): LedgerChecksum {
  const { steps, stepsSum } = (record.wall ?? {}) as TrialRecord['wall']
  return { lines: steps ?? 0, sum: Number.parseInt(stepsSum ?? '0', 16) }
}
