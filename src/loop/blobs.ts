import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../canonical.ts'
import { type StorageError, UserError } from '../errors.ts'
import { writeAtomic } from '../write-atomic.ts'
import { storageError } from './storage.ts'

const largest = 64 * 1024
const named = /^blob:([0-9a-f]{64})$/

/** Texts too long for a line of the journal, each in a file named by its hash. */
export interface Blobs {
  /** The text itself, or the name of the blob that now holds it. Durable when it returns. */
  pack(text: string): string
  /** Stores a text whatever its length, and gives its hash. */
  put(text: string): string
  unpack(text: string): string
  /** A stored text by its hash; undefined when there is none. */
  get(hash: string): string | undefined
}

/** The blobs in a folder, which is made with the first of them. `onBroken` is told when one cannot be written. */
export function openBlobs(folder: string, onBroken?: (error: StorageError) => void): Blobs {
  const put = (text: string) => {
    const hash = sha256(text)
    const path = join(folder, hash)
    if (existsSync(path)) return hash
    try {
      mkdirSync(folder, { recursive: true })
      writeAtomic(path, text, { durable: true })
    } catch (error) {
      const broken = storageError(path, error)
      onBroken?.(broken)
      throw broken
    }
    return hash
  }
  const get = (hash: string) => {
    const path = join(folder, hash)
    if (!existsSync(path)) return undefined
    const text = readFileSync(path, 'utf8')
    if (sha256(text) !== hash) throw unusable(path, 'was changed after it had been written')
    return text
  }
  return {
    put,
    get,
    // A short text that looks like a name would be read as one: it becomes a blob, too.
    pack: (text) => (text.length > largest || named.test(text) ? `blob:${put(text)}` : text),
    unpack(text) {
      const hash = named.exec(text)?.[1]
      if (!hash) return text
      const stored = get(hash)
      if (stored === undefined) throw unusable(join(folder, hash), 'is missing')
      return stored
    },
  }
}

const unusable = (where: string, what: string) =>
  new UserError({ where, what, fix: 'Put the file back as it was, from a copy of the run folder.' })
