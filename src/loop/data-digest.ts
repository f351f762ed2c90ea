import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { journalFiles } from './journal.ts'
import { readLines } from './lines.ts'

/** SHA-256 of a run's records without what may differ between two equal runs: each line up to its last key, `wall`. */
export interface DataDigest {
  /** Takes the next line. */
  add(line: string): void
  /** In hexadecimal, of all lines; once. */
  result(): string
}

/** The digest of no lines. */
export function createDataDigest(): DataDigest {
  const hash = createHash('sha256')
  return {
    add(line) {
      const wall = line.lastIndexOf(',"wall":')
      hash.update(`${wall < 0 ? line : line.slice(0, wall)}\n`)
    },
    result: () => hash.digest('hex'),
  }
}

/** The digest of a run folder's records. */
export function dataDigest(folder: string): string {
  const digest = createDataDigest()
  for (const { text } of readLines(join(folder, journalFiles.records))) digest.add(text)
  return digest.result()
}
