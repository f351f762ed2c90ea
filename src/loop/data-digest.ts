import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { journalFiles } from './journal.ts'
import { readLines } from './lines.ts'

/** SHA-256 of a run's records without what may differ between two equal runs: each line up to its last key, `wall`. */
export function dataDigest(folder: string): string {
  const hash = createHash('sha256')
  for (const { text } of readLines(join(folder, journalFiles.records))) {
    const end = text.lastIndexOf(',"wall":')
    hash.update(end < 0 ? text : text.slice(0, end)).update('\n')
  }
  return hash.digest('hex')
}
