import { crc32 } from 'node:zlib'

/*
 * A sealed line ends with the CRC-32 of all before it, so that no flipped bit goes unnoticed, inside a text either. Records
 * are sealed, and runs that were paid for whole. The other lines of dev mode can be made again from their seed, and a record
 * bears a mark of them.
 */
const lead = ',"sum":"'
const sumDigits = 8

/** What `sealOf` may say. */
export type Seal = 'whole' | 'broken' | 'none'

/** The line of JSON with its seal as the last field; of a record, inside `wall`, the one place where equal runs may differ. */
export function seal(line: string, closing: '}' | '}}' = '}'): string {
  const open = line.slice(0, -closing.length)
  return `${open}${lead}${sumOf(open)}"${closing}`
}

/** Whether a line bears a seal, and a true one. */
export function sealOf(line: string): Seal {
  const text = line.trimEnd()
  const closing = text.at(-2) === '}' ? '"}}' : '"}'
  const sum = text.length - closing.length - sumDigits
  const open = sum - lead.length
  if (open < 0 || !text.startsWith(lead, open)) return 'none'
  return text.slice(sum, sum + sumDigits) === sumOf(text.slice(0, open)) ? 'whole' : 'broken'
}

const sumOf = (open: string) => crc32(open).toString(16).padStart(sumDigits, '0')
