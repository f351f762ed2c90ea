import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { journalFiles } from './journal.ts'
import { type LineBlock, type LineBytes, readLineBytes } from './lines.ts'

/** SHA-256 of a run's records without what may differ between two equal runs: each line up to its last key, `wall`. */
export interface DataDigest {
  /** The next line; its data end at this place of its bytes. */
  add(line: LineBytes, end: number): void
  /** In hexadecimal, of all lines; once. */
  result(): string
}

/** The lines of a run's records, to be read once, and the digest of their data, which is to be given each line that was read. */
export interface DigestedLines {
  blocks: Iterable<LineBlock>
  digest: DataDigest
  /** What went otherwise than it should while they were read, and changed nothing but the time that it took. */
  note?(): string | undefined
}

const wallKey = Buffer.from(',"wall":')
const batchBytes = 64 * 1024

/** Where the data of a line end in its bytes: at its last `wall`. */
export function dataEnd({ bytes, start, end }: LineBytes): number {
  const wall = bytes.subarray(start, end).lastIndexOf(wallKey)
  return wall < 0 ? end : start + wall
}

/** The digest of no lines. */
export function createDataDigest(): DataDigest {
  const hash = createHash('sha256')
  const batch = Buffer.allocUnsafe(batchBytes)
  let held = 0
  const flush = () => {
    hash.update(batch.subarray(0, held))
    held = 0
  }
  return {
    // To hash many lines at once costs half of what each by itself does.
    add({ bytes, start }, end) {
      const length = end - start
      if (held + length >= batchBytes) flush()
      if (length >= batchBytes) hash.update(bytes.subarray(start, end))
      else held += bytes.copy(batch, held, start, end)
      batch[held++] = 0x0a
    },
    result() {
      flush()
      return hash.digest('hex')
    },
  }
}

/** The digest of a run folder's records. */
export function dataDigest(folder: string): string {
  const digest = createDataDigest()
  for (const line of readLineBytes(join(folder, journalFiles.records))) digest.add(line, dataEnd(line))
  return digest.result()
}
