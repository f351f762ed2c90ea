import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFiles } from '../../loop/journal/run-files.ts'
import { isOwnFile, ownCacheFile, writeOwnFile } from '../trust/require-trust.ts'

/** Writes the origin file of a new run: an HMAC of its path and run.json. Its key is kept only in the user's cache. */
export function writeOrigin(folder: string): void {
  const mark = originOf(folder)
  if (mark !== undefined) writeFileSync(join(folder, runFiles.origin), `${mark}\n`)
}

/** Reports whether this user started the run in this folder and run.json is unchanged. Also false if the cache was emptied since then. */
export function verifyOrigin(folder: string): boolean {
  const mark = originOf(folder)
  return mark !== undefined && readIfThere(join(folder, runFiles.origin))?.trim() === mark
}

function originOf(folder: string): string | undefined {
  const key = ownKey()
  const manifest = readIfThere(join(folder, runFiles.manifest))
  if (key === undefined || manifest === undefined) return undefined
  return createHmac('sha256', key)
    .update(`${realpathSync(folder)}\n${manifest}`)
    .digest('hex')
}

/** Returns the key of this user, created on first use; undefined if it cannot be stored, or not where only the user may write. */
function ownKey(): string | undefined {
  const path = ownCacheFile('origin-key')
  if (path === undefined) return undefined
  if (!isOwnFile(path)) writeOwnFile(path, randomBytes(32).toString('hex'))
  return isOwnFile(path) ? readIfThere(path) || undefined : undefined
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
