import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { SandboxLimits } from '../limits.ts'
import type { EndedBy, ProgramEnd } from '../sandbox.ts'

/** The names of signals, by number. Of two names the first counts, which is the usual one: SIGABRT, and not SIGIOT. */
const signals = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** Decodes exit code and signal. An exit code of 128 + n means signal n: a sandbox reports nothing more. */
export function decodeExit(
  code: number | null,
  signal: string | null,
): Pick<ProgramEnd, 'exitCode' | 'killedBy'> {
  const decoded = code !== null && code > 128 ? signals.get(code - 128) : undefined
  return decoded ? { exitCode: null, killedBy: decoded } : { exitCode: code, killedBy: signal }
}

/** What bench measures itself: memory that processes share, or the size or number of files. */
export type Excess = 'memory' | 'bytes' | 'files'

interface Ending extends ProgramEnd {
  timedOut: boolean
  /** It printed as much as the limit allows. */
  flooded: boolean
  exceeds: Excess | undefined
  timeoutMs: number
  floodBytes: number
  limits: SandboxLimits
}

/** Returns the limit that ended a program and the reason for the record; undefined if no limit is known to have ended it. */
export function findExceededLimit(ending: Ending): { ended: EndedBy; reason: string } | undefined {
  const { timedOut, flooded, killedBy, exitCode, stderr, limits, timeoutMs, floodBytes } = ending
  if (flooded) return { ended: 'output', reason: `printed more than ${bytes(floodBytes)}${fixed}` }
  if (ending.exceeds === 'memory') return outOfMemory(limits)
  if (ending.exceeds) {
    const { workspaceBytes, workspaceFiles } = limits
    const most = ending.exceeds === 'bytes' ? bytes(workspaceBytes) : `${workspaceFiles} files and folders`
    return { ended: 'files', reason: `was ended: its files exceeded ${most} together${fixed}` }
  }
  if (timedOut) return { ended: 'wall', reason: `still running after the limit of ${timeoutMs} ms` }
  if (killedBy === 'SIGXCPU')
    return { ended: 'cpu', reason: `used more than ${limits.cpuSeconds} s of processor time${fixed}` }
  if (killedBy === 'SIGXFSZ' || (exitCode !== 0 && tooLongFile.test(stderr)))
    return { ended: 'file-size', reason: `wrote a file of more than ${bytes(limits.fileBytes)}${fixed}` }
  if (exitCode === 0) return undefined
  // The kernel refuses memory and processes without a signal, so only the program's own message shows it.
  if (saysOutOfMemory.test(stderr)) return outOfMemory(limits)
  if (noMoreProcesses.test(stderr))
    return { ended: 'processes', reason: `could start no more processes than ${limits.processes}${fixed}` }
  return undefined
}

function outOfMemory({ memoryBytes }: SandboxLimits): { ended: EndedBy; reason: string } {
  return { ended: 'memory', reason: `ran out of memory, of which it has ${bytes(memoryBytes)}${fixed}` }
}

// Says that no option raises the limit.
const fixed = ', a fixed limit of the sandbox'

const tooLongFile = /\bEFBIG\b|File too large/
const saysOutOfMemory =
  /out of memory|\bMemoryError\b|\bENOMEM\b|Cannot allocate memory|Array buffer allocation failed|bad_alloc/i
const noMoreProcesses =
  /\bspawn\b.*\bEAGAIN\b|\bfork\b.*Resource temporarily unavailable|Cannot fork|BlockingIOError: \[Errno 11\]|can't start new thread/

function bytes(count: number): string {
  if (count >= 1024 ** 3) return `${+(count / 1024 ** 3).toFixed(1)} GiB`
  return count >= 1024 ** 2 ? `${+(count / 1024 ** 2).toFixed(1)} MiB` : `${count} bytes`
}

/** The file without a name that one stream of a program is written to. Unlike a pipe, nothing waits for the processes that hold it open. */
export interface OutputFile {
  /** File descriptor for the program's stdio. */
  fd: number
  /** Returns the number of bytes written so far. */
  size(): number
  /**
   * Returns at most `maxBytes`: the first three quarters and the last quarter, since reports and error messages come last.
   * Bytes that are not UTF-8 become replacement characters.
   */
  text(maxBytes: number): string
  /** Freezes `size()` at its current value. */
  finish(): void
  close(): void
}

/** Creates a file for output in a folder and unlinks it, so that it disappears when its last descriptor is closed. */
export function createOutputFile(folder: string, name: string): OutputFile {
  const path = join(folder, name)
  const fd = openSync(path, 'ax+', 0o600)
  unlinkSync(path)
  let last: number | undefined
  const size = () => last ?? fstatSync(fd).size
  const read = (from: number, length: number) => {
    if (length === 0) return ''
    const bytes = Buffer.alloc(length)
    let filled = 0
    while (filled < length) {
      const count = readSync(fd, bytes, filled, length - filled, from + filled)
      if (count === 0) break
      filled += count
    }
    return bytes.toString('utf8', 0, filled)
  }
  return {
    fd,
    size,
    text(maxBytes) {
      const total = size()
      if (total <= maxBytes) return read(0, total)
      const head = Math.ceil((maxBytes * 3) / 4)
      const tail = maxBytes - head
      return `${read(0, head)}\n[output cut]\n${read(total - tail, tail)}`
    },
    finish() {
      last = size()
    },
    close: () => closeSync(fd),
  }
}

/** A command is ended when it has printed this many times the output that is kept. */
export const floodFactor = 64
