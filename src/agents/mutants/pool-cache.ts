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
      candidate: z.object({ files: z.record(z.string(), z.string().nullable()) }),
    }),
  ),
})
/** A task's wrong candidates as kept: contents and paths inside the workspace, nothing of the machine. */
export type PoolEntry = z.infer<typeof Entry>

/** The kept pool of a task; undefined where none of this engine can be read, or it was changed after it had been written. */
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

/** Keeps a pool, whole or not at all. Not being able to is no error: the next run computes it again. */
export function writePool(folder: string, entry: PoolEntry): void {
  const text = JSON.stringify(entry)
  // A changed byte would change records of the same seed.
  writeCacheFile(pathOf(folder, entry.digest), `${sha256(text)}\n${text}`)
}

const pathOf = (folder: string, digest: string) => join(folder, 'mutants', `${digest}.json`)
