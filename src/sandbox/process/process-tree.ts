import { existsSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Environment variable that marks a command's processes, including those that start a session of their own. */
export const markerVariable = 'BENCH_SANDBOX'

/** Identifies a command's processes. */
interface ProcessTree {
  /** Process id of the first process, the leader of its group. */
  leader: number
  /** Start time of the leader by `performance.now()`; ms. Absent if it is not known. */
  startedAt?: number
  /** Value of the marker variable: the private folder's path, so that a process that works inside is found as well. */
  marker: string
}

/**
 * Kills the group of a command and, on Linux, every descendant that left the group. Returns the ids of the killed
 * descendants. Sends SIGKILL immediately: the command works on a private copy, so there is nothing to save, and other signals can
 * be ignored.
 */
export function endProcessTree(tree: ProcessTree): Set<number> {
  const killed = new Set<number>()
  // Further rounds catch processes that were forked while the last round read /proc.
  for (let round = 0; round < 10; round++) {
    const strays = process.platform === 'linux' ? findStrays(tree) : []
    if (round === 0) killGroup(tree.leader)
    for (const pid of strays) {
      kill(pid)
      killed.add(pid)
    }
    if (strays.length === 0) break
  }
  return killed
}

/** Kills all processes with a marker, even if the process that started them has ended. */
export async function killMarkedProcesses(marker: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (let round = 0; round < 10; round++) {
    const marked = findStrays({ leader: 0, marker })
    if (marked.length === 0) return
    for (const pid of marked) kill(pid)
    await waitForExit(new Set(marked), 1000)
  }
}

/** Kills only the group of a command: enough if a PID namespace ends with it. */
export function killGroup(leader: number): void {
  kill(-leader)
}

/** Waits until killed processes have ended, which takes time on a busy machine; at most `timeoutMs`. */
export async function waitForExit(pids: ReadonlySet<number>, timeoutMs: number): Promise<void> {
  for (let waited = 0; waited < timeoutMs && [...pids].some(isRunning); waited += 5) await setTimeout(5)
}

/** Whether a process is running; a zombie is not. */
export function isRunning(pid: number): boolean {
  return /\) [^ZX] /.test(readProcess(pid, 'stat'))
}

function findStrays(tree: ProcessTree): number[] {
  const mark = `${markerVariable}=${tree.marker}\0`
  const isMarked = (pid: number) => readProcess(pid, 'environ').includes(mark) || isInside(pid, tree.marker)
  return possibleDescendants(tree).filter((pid) => pid !== process.pid && isMarked(pid))
}

/** Process ids cannot wrap around within this time; ms. */
const pidWrapMs = 1000

/** Up to this many ids are probed one by one instead of listing all processes. */
const maxProbedPids = 32

/**
 * Returns ids that may be descendants. Process ids count up, so descendants lie between the leader and the newest process,
 * unless the counter may have wrapped around: then every running process may be one.
 */
function possibleDescendants({ leader, startedAt = Number.NEGATIVE_INFINITY }: ProcessTree): number[] {
  const newest = newestPid()
  const isPidOrdered = newest >= leader && performance.now() - startedAt < pidWrapMs
  if (isPidOrdered && newest - leader <= maxProbedPids) return existingPidsAfter(leader, newest)
  const running = readdirSync('/proc').map(Number)
  return running.filter(isPidOrdered ? (pid) => pid > leader && pid <= newest : (pid) => pid > 0)
}

function existingPidsAfter(leader: number, newest: number): number[] {
  const numbers: number[] = []
  for (let pid = leader + 1; pid <= newest; pid++) if (existsSync(`/proc/${pid}`)) numbers.push(pid)
  return numbers
}

function isInside(pid: number, folder: string): boolean {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    return cwd === folder || cwd.startsWith(`${folder}/`)
  } catch {
    return false // it has ended, or belongs to another user
  }
}

// Stays open, so that it can be read when the limit of open files is reached.
let load: number | undefined

function newestPid(): number {
  load ??= openSync('/proc/loadavg', 'r')
  const bytes = Buffer.alloc(128)
  const text = bytes.toString('latin1', 0, readSync(load, bytes, 0, bytes.length, 0))
  return Number(text.slice(text.lastIndexOf(' ')))
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return '' // it has ended, or belongs to another user
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
