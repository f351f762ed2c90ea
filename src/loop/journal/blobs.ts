import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { type StorageError, UserError } from '../../text/errors.ts'
import { storageError } from './storage.ts'

/** Texts in a folder, each in a file named by its hash. */
export interface Blobs {
  folder: string
  /** Stores a text, and gives its hash. It is durable when this returns. */
  put(text: string): string
  /** A stored text by its hash; undefined when there is none. Throws `UserError` where it was changed. */
  get(hash: string): string | undefined
}

/** The blobs in a folder, which is made with the first of them. `onStorageError` is told when one cannot be written. */
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

/** What is wrong with a blob that is needed. */
export const blobError = (where: string, what: string) =>
  new UserError({ where, what, fix: 'Put the file back as it was, from a copy of the run folder.' })
