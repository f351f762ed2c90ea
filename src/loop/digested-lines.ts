import { readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createDataDigest, type DigestedLines } from './data-digest.ts'
import { journalFiles } from './journal.ts'
import { readLineBlocks } from './lines.ts'

// A thread starts in 0.1 s: that much sooner with one this is read.
const worthThread = 128 * 1024 * 1024
// Some 0.7 GiB of addresses are a thread's, beside 1 GiB of the process, whatever it makes of them.
const addressesOfThread = 4 * 1024 ** 3

/** The lines of a run folder's records; of a large file with a thread that reads ahead, where there is a processor for it. */
export async function digestedLines(folder: string): Promise<DigestedLines> {
  const path = join(folder, journalFiles.records)
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file?.isFile() || file.size < worthThread || availableParallelism() < 2 || !hasAddresses())
    return linesAlone(path)
  // Loaded when it is wanted: a run must not wait for threads that it does not start.
  const { readAhead } = await import('./read-ahead.ts')
  return readAhead(path)
}

/** False under a limit of addresses (`ulimit -v`) that a thread may not fit into: V8 would end the process. */
function hasAddresses(): boolean {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Only Linux tells.
    return true
  }
  const [, most] = /^Max address space +(\d+)/m.exec(limits) ?? []
  return most === undefined || Number(most) >= addressesOfThread
}

/** The lines of a file of records without a thread. */
export function linesAlone(path: string): DigestedLines {
  return { blocks: readLineBlocks(path), digest: createDataDigest() }
}
