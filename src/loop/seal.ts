import { crc32 } from 'node:zlib'
import { areHex, hexOf, wordAt } from './hex.ts'
import { startsWith } from './json-bytes.ts'
import type { LineBytes } from './lines.ts'

/*
 * A sealed line ends with the CRC-32 of all before it, so that no flipped bit goes unnoticed, inside a text either. Records
 * are sealed, and runs that were paid for whole. The other lines of dev mode, which can be made again from their seed, are not: it would
 * cost more than the mark that a record bears of them, which finds as much.
 */
const lead = ',"sum":"'
const leadBytes = Buffer.from(lead)
/** Of a sum, in hexadecimal. */
export const sumDigits = 8
/** How long the seal of a record is, with what closes it: what it sums up stands before that. */
export const recordSealBytes = leadBytes.length + sumDigits + '"}}'.length
const brace = 0x7d

/** The line of JSON with its seal as the last field; of a record, inside `wall`, the one place where equal runs may differ. */
export function seal(line: string, closing: '}' | '}}' = '}'): string {
  const open = line.slice(0, -closing.length)
  return open + closingSeal(open, closing).join('')
}

/** What closes a line that is still open, in two parts. */
export function closingSeal(open: string, closing: '}' | '}}'): readonly string[] {
  return [lead, `${hexOf(crc32(open))}${closing === '}' ? '"}' : '"}}'}`]
}

/** Whether a line bears a seal, and a true one. */
export function sealOf({ bytes, start, end }: Pick<LineBytes, 'bytes' | 'start' | 'end'>): Seal {
  let last = end
  while (last > start && (bytes[last - 1] as number) <= 0x20) last--
  const closed = last - (bytes[last - 2] === brace ? 3 : 2)
  const open = closed - sumDigits - leadBytes.length
  if (open < start || !startsWith(bytes, open, leadBytes)) return 'none'
  return isTrueSum({ bytes, start }, closed - sumDigits) ? 'whole' : 'broken'
}

/**
 * Whether the sum whose digits begin there is that of all that stands before its field in the line; `known`: what it should be,
 * where somebody has worked that out.
 */
export function isTrueSum(
  { bytes, start }: Pick<LineBytes, 'bytes' | 'start'>,
  sum: number,
  known?: number,
): boolean {
  // Compared as a number: this is done for every line, and a text costs as much as the sum.
  return areHex(bytes, sum, sumDigits) && wordAt(bytes, sum) === (known ?? sumOf(bytes, start, sum))
}

function sumOf(bytes: Buffer, start: number, sum: number): number {
  // A plain view: a slice costs as much as the sum.
  return crc32(new Uint8Array(bytes.buffer, bytes.byteOffset + start, sum - leadBytes.length - start)) | 0
}

/** What `sealOf` may say. */
export type Seal = 'whole' | 'broken' | 'none'
