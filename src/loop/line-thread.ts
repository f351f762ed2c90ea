import { readSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../package-root.ts'
import { chunkBytes, type LineBlock, type LineStart } from './lines.ts'
import { recordSealBytes } from './seal.ts'

/*
 * Two threads read a file block by block: the other one finds out where lines end and what they sum up to, and tells it in a
 * ring of slots that both see; this one makes sense of the lines. Each counts what it has done, and neither waits for
 * an event, so that reading stays one call from begin to end.
 */
const at = { made: 0, used: 1 }
/** Stands where the number of a block's lines would: the file has ended, or is left to this thread; or that of used blocks. */
const told = { ended: -1, left: -2, noMore: -1 }
const slotCount = 8
/** A block of lines that are shorter on average is left to this thread: no record is as short. */
const shortestLine = 16
const tickMs = 100

/** What a thread is to run. */
export interface LineThread {
  program: string
  blockBytes: number
  /** How long it may be silent: it might have ended without a word, which nobody would hear of. */
  patienceMs: number
}

/** As bench runs it. */
export const lineThread = (): LineThread => ({
  program: join(packageRoot(), 'src/loop/programs/read-ahead.mjs'),
  blockBytes: chunkBytes,
  patienceMs: 5000,
})

/** What was found in one block. */
interface Slot {
  count: Int32Array
  isText: Int32Array
  ends: Int32Array
  sums: Int32Array
}

/**
 * The lines of an open file with their sums, and at the end the digest of their data, as another thread finds them. Undefined
 * instead, where that left the rest to this one: from `place` on, which is moved behind each block that was used.
 */
export function* linesByThread(
  fd: number,
  place: LineStart,
  { program, blockBytes, patienceMs }: LineThread,
): Generator<LineBlock, string | undefined> {
  const control = sharedNumbers(2)
  const digest = new Uint8Array(new SharedArrayBuffer(32))
  const slots = Array.from({ length: slotCount }, () => createSlot(Math.ceil(blockBytes / shortestLine)))
  if (!started(program, { fd, control, at, told, slots, digest, blockBytes, sealBytes: recordSealBytes }))
    return undefined
  let bytes = Buffer.allocUnsafe(blockBytes)
  try {
    for (let used = 0; ; used++) {
      Atomics.store(control, at.used, used)
      // Not for each: to be woken costs more than a block does.
      if (used % (slotCount / 2) === 0) Atomics.notify(control, at.used)
      if (!isMade(control, used, patienceMs)) return undefined
      const { count, isText, ends, sums } = slots[used % slotCount] as Slot
      const lines = count[0] as number
      if (lines === told.left) return undefined
      if (lines === told.ended) return Buffer.from(digest).toString('hex')
      const length = (ends[lines - 1] as number) + 1
      if (bytes.length < length) bytes = Buffer.allocUnsafe(2 * length)
      // What has become shorter meanwhile is read again, by this thread alone.
      if (readSync(fd, bytes, 0, length, place.offset) < length) return undefined
      yield { ...place, bytes, content: place.number, count: lines, ends, isText: isText[0] === 1, sums }
      place.number += lines
      place.offset += length
    }
  } finally {
    Atomics.store(control, at.used, told.noMore)
    Atomics.notify(control, at.used)
  }
}

const sharedNumbers = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))

function createSlot(mostLines: number): Slot {
  const [ends, sums] = [sharedNumbers(mostLines), sharedNumbers(mostLines)]
  return { count: sharedNumbers(1), isText: sharedNumbers(1), ends, sums }
}

/** False where no thread can be had. */
function started(program: string, workerData: object): boolean {
  try {
    const thread = new Worker(program, { workerData, execArgv: [], stdout: true, stderr: true })
    // It may be in the midst of a read when nobody wants more. What breaks it leaves the lines to this thread, no more.
    thread.unref()
    thread.on('error', () => undefined)
    return true
  } catch {
    return false
  }
}

/** Waits for the next block; false: the other thread was silent for too long. */
function isMade(control: Int32Array<SharedArrayBuffer>, used: number, patienceMs: number): boolean {
  // In ticks: a process that was stopped meanwhile finds one of them over, not all.
  for (let waitedMs = 0; Atomics.load(control, at.made) === used; waitedMs += tickMs) {
    if (waitedMs >= patienceMs) return false
    Atomics.wait(control, at.made, used, tickMs)
  }
  return true
}
