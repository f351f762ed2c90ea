import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { type StorageError, UserError } from '../../text/errors.ts'
import { storageError } from './storage.ts'

/** Texts in a folder, each in a file that is named by its hash. */
export interface Blobs {
  folder: string
  /** Stores a text durably and returns its hash. */
  put(text: string): string
  /** Returns a stored text by its hash; undefined if there is none. Throws `UserError` if the file was changed. */
  get(hash: string): string | undefined
}

/** Opens the blobs of a folder, which is created with the first blob. `onStorageError` is called if a blob cannot be written. */
export function openBlobs(folder: string, onStorageError?: (error: StorageError) => void): Blobs {
  const put = (text: string) => {
    const hash = sha256(text)
    const path = join(folder, hash)
    if (existsSync(path)) return hash
    try {
      mkdirSync(folder, { recursive: true })
      writeAtomic(path, text, { durable: true })
    } catch (error) {
      const broken = storageError(path, error)
      onStorageError?.(broken)
      throw broken
    }
    return hash
  }
  const get = (hash: string) => {
    const path = join(folder, hash)
    if (!existsSync(path)) return undefined
    const text = readFileSync(path, 'utf8')
    if (sha256(text) !== hash) throw blobError(path, 'was changed after it had been written')
    return text
  }
  return { folder, put, get }
}

/** Returns the error for a blob that is needed and cannot be used. */
export const blobError = (where: string, what: string) =>
  new UserError({ where, what, fix: 'Restore the file from a copy of the run folder.' })

/** Returns a value with each of its texts mapped, however deep; the value itself if none of them changes. */
export function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  if (typeof value === 'string') return map(value) as Value
  if (value === null || typeof value !== 'object') return value
  const fields = value as Record<string, unknown>
  let changed: Record<string, unknown> | undefined
  for (const key of Object.keys(fields)) {
    const item = mapTexts(fields[key], map)
    if (item === fields[key]) continue
    changed ??= (Array.isArray(value) ? [...value] : { ...fields }) as Record<string, unknown>
    changed[key] = item
  }
  return (changed ?? value) as Value
}
