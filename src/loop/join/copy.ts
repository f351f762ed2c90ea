import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import { blobError } from '../journal/blobs.ts'
import type { Source, Span } from './read-shard.ts'

/** Bytes of a file of a source. */
interface SourceSpan extends Span {
  source: Source
}

/** Writes texts in order, each once; they begin with their time. Writes no empty file. */
export function writeLines(folder: string, file: string, texts: readonly string[]): void {
  const lines = [...new Set(texts)].sort()
  if (lines.length > 0) writeAtomic(join(folder, file), `${lines.join('\n')}\n`, { durable: true })
}

const chunkBytes = 1024 * 1024
/** A run may have more shards than a process may have files open. */
const mostOpen = 100

/** Writes the bytes of spans one after another. What stands together is copied together. */
export function copySpans(folder: string, file: string, spans: readonly SourceSpan[]): void {
  const open = new Map<Source, number>()
  const copy = (to: number, { source, offset, length }: SourceSpan) => {
    const from = open.get(source) ?? openSync(join(source.folder, file), 'r')
    open.set(source, from)
    for (const [other, fd] of open.size > mostOpen ? open : []) {
      if (other === source) continue
      closeSync(fd)
      open.delete(other)
    }
    copyBytes(from, to, { offset, length })
  }
  try {
    const write = (to: number) => {
      for (const span of together(spans)) copy(to, span)
    }
    writeAtomic(join(folder, file), write, { durable: true, singleWriter: true })
  } finally {
    for (const fd of open.values()) closeSync(fd)
  }
}

/** Copies a part of a file to the end of another one. */
export function copyBytes(from: number, to: number, { offset, length }: Span): void {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, length))
  for (let at = 0; at < length; ) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, length - at), offset + at)
    for (let done = 0; done < read; ) done += writeSync(to, chunk, done, read - done)
    at += read
  }
}

function* together(spans: readonly SourceSpan[]): Generator<SourceSpan> {
  let last: SourceSpan | undefined
  for (const { source, offset, length } of spans) {
    if (length === 0) continue
    if (last?.source === source && last.offset + last.length === offset) last.length += length
    else {
      if (last) yield last
      last = { source, offset, length }
    }
  }
  if (last) yield last
}

/** Reads the bytes of a span. */
export function readSpan({ source: { folder }, offset, length }: SourceSpan, file: string): Buffer {
  const bytes = Buffer.alloc(length)
  if (length === 0) return bytes
  const from = openSync(join(folder, file), 'r')
  try {
    for (let at = 0; at < length; ) at += readSync(from, bytes, at, length - at, offset + at)
    return bytes
  } finally {
    closeSync(from)
  }
}

/** Copies the blobs of a run folder. Throws `UserError` for one that was changed. */
export function copyBlobs(from: string, to: string): void {
  for (const name of namesIn(join(from, 'blobs'), /^[0-9a-f]{64}$/)) {
    const path = join(from, 'blobs', name)
    const bytes = readFileSync(path)
    if (sha256(bytes) !== name) throw blobError(path, 'was changed after it had been written')
    copyFile(path, join(to, 'blobs', name), bytes)
  }
}

/** Copies what is kept of trials, file by file: a link that a person or a program put there is not followed. */
export function copyTrials(from: string, to: string, kept: string): void {
  for (const trial of namesIn(join(from, kept), /^[0-9a-f]{24}$/))
    copyTree(join(from, kept, trial), join(to, kept, trial))
}

function copyTree(from: string, to: string): void {
  const { isFile, isFolder } = kindOf(from)
  if (isFile) copyFile(from, to, readFileSync(from))
  if (!isFolder) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name))
}

function copyFile(from: string, to: string, bytes: Buffer): void {
  if (!existsSync(to)) {
    mkdirSync(join(to, '..'), { recursive: true })
    writeFileSync(to, bytes)
  } else if (!readFileSync(to).equals(bytes))
    throw new UserError({
      where: from,
      what: 'differs from the same file of another shard',
      fix: 'The shard was run twice, or the file was changed: name one of its folders alone.',
    })
}

function kindOf(path: string): { isFile: boolean; isFolder: boolean } {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return { isFile: stat?.isFile() === true, isFolder: stat?.isDirectory() === true }
}

const namesIn = (folder: string, pattern: RegExp): string[] =>
  kindOf(folder).isFolder ? readdirSync(folder).filter((name) => pattern.test(name)) : []
