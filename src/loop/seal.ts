import { crc32 } from 'node:zlib'

/*
 * A sealed line ends with the CRC-32 of all before it, so that no flipped bit goes unnoticed, inside a text either. Runs
 * that were paid for are sealed; those of dev mode, which can be made again from their seed, are not: the check would
 * cost an eighth of a dry trial.
 */
const lead = ',"sum":"'
const length = lead.length + 8

/** The line of JSON with its seal as the last field; of a record, inside `wall`, the one place where equal runs may differ. */
export function seal(line: string, closing: '}' | '}}' = '}'): string {
  const open = line.slice(0, -closing.length)
  return `${open}${lead}${sumOf(open)}"${closing}`
}

/** Whether a line bears a seal, and a true one. */
export function sealOf(line: string): 'whole' | 'broken' | 'none' {
  const text = line.trimEnd()
  const end = text.length - (text.endsWith('}}') ? 3 : 2)
  const start = end - length
  if (!text.startsWith(lead, start)) return 'none'
  return sumOf(text.slice(0, start)) === text.slice(start + lead.length, end) ? 'whole' : 'broken'
}

const sumOf = (text: string) => crc32(text).toString(16).padStart(8, '0')
