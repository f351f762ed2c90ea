import { constants } from 'node:os'
import type { SandboxLimits } from '../limits.ts'
import type { EndedBy, ProgramEnd } from '../sandbox.ts'

const signals = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

/** Exit code and signal as they are told: 128 + n stands for signal n, since no more is known of a program in a sandbox. */
export function decodeExit(
  code: number | null,
  signal: string | null,
): Pick<ProgramEnd, 'exitCode' | 'killedBy'> {
  const told = code !== null && code > 128 ? signals.get(code - 128) : undefined
  return told ? { exitCode: null, killedBy: told } : { exitCode: code, killedBy: signal }
}

/** What is known when a program has ended. */
interface Ending extends ProgramEnd {
  timedOut: boolean
  /** It printed as much as it may. */
  flooded: boolean
  /** Its processes shared more memory than they may. */
  exceedsSharedMemory: boolean
  timeoutMs: number
  floodBytes: number
  limits: SandboxLimits
}

/** The limit that ended a program, and the words for the record; undefined where no limit is known to have. */
export function findExceededLimit(ending: Ending): { ended: EndedBy; reason: string } | undefined {
  const { timedOut, flooded, killedBy, exitCode, stderr, limits, timeoutMs, floodBytes } = ending
  if (flooded) return { ended: 'output', reason: `printed more than ${bytes(floodBytes)}${fixed}` }
  if (ending.exceedsSharedMemory) return outOfMemory(limits)
  if (timedOut) return { ended: 'wall', reason: `still running after the limit of ${timeoutMs} ms` }
  if (killedBy === 'SIGXCPU')
    return { ended: 'cpu', reason: `used more than ${limits.cpuSeconds} s of processor time${fixed}` }
  if (killedBy === 'SIGXFSZ' || (exitCode !== 0 && tooLongFile.test(stderr)))
    return { ended: 'file-size', reason: `wrote a file of more than ${bytes(limits.fileBytes)}${fixed}` }
  if (exitCode === 0) return undefined
  // The kernel refuses memory and processes without a signal: only the program knows, and says so.
  if (saysOutOfMemory.test(stderr)) return outOfMemory(limits)
  if (noMoreProcesses.test(stderr))
    return { ended: 'processes', reason: `could start no more processes than ${limits.processes}${fixed}` }
  return undefined
}

function outOfMemory({ memoryBytes }: SandboxLimits): { ended: EndedBy; reason: string } {
  return { ended: 'memory', reason: `ran out of memory, of which it has ${bytes(memoryBytes)}${fixed}` }
}

// Whoever reads it looks for a way to raise it.
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
