import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../package-root.ts'
import { chunkBytes, type LineBlock, type LineStart } from './lines.ts'
import { recordSealBytes } from './seal.ts'

/*
 * Two threads read a file block by block: the other one reads, finds out where lines end and what they sum up to, and puts all that
 * into a ring of slots that both see; this one makes sense of the lines where they stand there. Each counts what it has done, and
 * neither waits for an event, so that reading stays one call from begin to end.
 */
const at = { made: 0, used: 1 }
/** Stands where the number of a block's lines would: the file has ended, or is left to this thread; or that of used blocks. */
const told = { ended: -1, left: -2, broken: -3, noMore: -1 }
const slotCount = 8
/** What has a longer line than three blocks is left to this thread, */
const blocksPerSlot = 4
/** and so is a block of lines that are shorter on average: no record is as long or as short. */
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
  program: join(packageRoot(), 'src/loop/programs/read-ahead.cjs'),
  blockBytes: chunkBytes,
  patienceMs: 5000,
})

/** How a thread came to its end: with the digest of all data, or without, since it left the rest to this one or something broke it. */
export interface ThreadEnd {
  digest?: string
  fault?: string
}

/** What was found in one block. */
interface Slot {
  bytes: Buffer
  count: Int32Array
  isText: Int32Array
  ends: Int32Array
  sums: Int32Array
}

/**
 * The lines of an open file with their sums, and at the end the digest of their data, as another thread finds them. Without a
 * digest the rest is left to this one: from `place` on, which is moved behind each block that was used.
 */
export function* linesByThread(
  fd: number,
  place: LineStart,
  { program, blockBytes, patienceMs }: LineThread,
): Generator<LineBlock, ThreadEnd> {
  const control = sharedNumbers(2)
  const digest = new Uint8Array(new SharedArrayBuffer(32))
  const slots = Array.from({ length: slotCount }, () => createSlot(blockBytes))
  if (!started(program, { fd, control, at, told, slots, digest, blockBytes, sealBytes: recordSealBytes }))
    return {}
  try {
    for (let used = 0; ; used++) {
      Atomics.store(control, at.used, used)
      // Not for each: to be woken costs more than a block does.
      if (used % (slotCount / 2) === 0) Atomics.notify(control, at.used)
      if (!isMade(control, used, patienceMs)) return { fault: `it was silent for ${patienceMs} ms` }
      const { bytes, count, isText, ends, sums } = slots[used % slotCount] as Slot
      const lines = count[0] as number
      if (lines === told.left) return {}
      if (lines === told.broken) return { fault: bytes.toString('utf8', 0, isText[0]) }
      if (lines === told.ended) return { digest: Buffer.from(digest).toString('hex') }
      yield { ...place, bytes, content: place.number, count: lines, ends, isText: isText[0] === 1, sums }
      place.number += lines
      place.offset += (ends[lines - 1] as number) + 1
    }
  } finally {
    Atomics.store(control, at.used, told.noMore)
    Atomics.notify(control, at.used)
  }
}

const shared = (length: number) => new SharedArrayBuffer(length)
const sharedNumbers = (length: number) => new Int32Array(shared(4 * length))

function createSlot(blockBytes: number): Slot {
  const mostLines = Math.ceil(blockBytes / shortestLine)
  return {
    // All that reads lines takes shared memory as well, though their type does not say so.
    bytes: Buffer.from(shared(blocksPerSlot * blockBytes)) as Buffer,
    count: sharedNumbers(1),
    isText: sharedNumbers(1),
    ends: sharedNumbers(mostLines),
    sums: sharedNumbers(mostLines),
  }
}

/** False where no thread can be had. */
function started(program: string, workerData: object): boolean {
  try {
    const thread = new Worker(program, { workerData, execArgv: [], stdout: true, stderr: true })
    // It may be in the midst of a read when nobody wants more. One that cannot even begin is silent, which is told.
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
