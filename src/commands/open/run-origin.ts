import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, keepFile } from '../../base/cache-folder.ts'

/** The file of a run folder that tells this user's own runs from those of others. */
const originFile = 'origin'

/** Marks a run as begun by this user in this folder: with a sum of its path and run.json, by a key that stands in the user's cache alone. */
export function writeOrigin(folder: string): void {
  const mark = originOf(folder)
  if (mark !== undefined) writeFileSync(join(folder, originFile), `${mark}\n`)
}

/** Whether this user began the run in this folder, and run.json is as it was then. False also where the cache was emptied since. */
export function verifyOrigin(folder: string): boolean {
  const mark = originOf(folder)
  return mark !== undefined && readIfThere(join(folder, originFile))?.trim() === mark
}

function originOf(folder: string): string | undefined {
  const key = ownKey()
  const manifest = readIfThere(join(folder, 'run.json'))
  if (key === undefined || manifest === undefined) return undefined
  return createHmac('sha256', key)
    .update(`${realpathSync(folder)}\n${manifest}`)
    .digest('hex')
}

/** The key of this user, made when it is first needed; undefined where it cannot be kept. */
function ownKey(): string | undefined {
  const path = join(cacheFolder(), 'origin-key')
  const kept = readIfThere(path)
  if (kept) return kept
  keepFile(path, randomBytes(32).toString('hex'))
  return readIfThere(path)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
