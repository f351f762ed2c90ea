import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeCacheFile } from '../../base/cache-folder.ts'
import { sha256 } from '../../text/canonical-json.ts'

const Entry = z.object({
  engine: z.int(),
  digest: z.string(),
  wrong: z.array(
    z.object({
      label: z.string(),
      passesVisible: z.boolean(),
      submission: z.object({ files: z.record(z.string(), z.string().nullable()) }),
    }),
  ),
})
/** A task's cached wrong submissions: contents and paths inside the workspace, independent of the machine. */
export type PoolEntry = z.infer<typeof Entry>

/** Reads the cached pool of a task; undefined if it is missing, of another engine version, or was changed after it was written. */
export function readPool(folder: string, digest: string, engine: number): PoolEntry | undefined {
  try {
    const [sum, text = ''] = readFileSync(pathOf(folder, digest), 'utf8').split('\n')
    if (sum !== sha256(text)) return undefined
    const entry = Entry.parse(JSON.parse(text))
    return entry.engine === engine && entry.digest === digest ? entry : undefined
  } catch {
    return undefined
  }
}

/** Writes a pool to the cache atomically. Failures are ignored: the next run computes the pool again. */
export function writePool(folder: string, entry: PoolEntry): void {
  const text = JSON.stringify(entry)
  // The checksum guards against a changed byte, which would change records of the same seed.
  writeCacheFile(pathOf(folder, entry.digest), `${sha256(text)}\n${text}`)
}

const pathOf = (folder: string, digest: string) => join(folder, 'mutants', `${digest}.json`)
