import { existsSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Names a command's processes: it stands in their environment, also in that of those with a session of their own. */
export const markerVariable = 'BENCH_SANDBOX'

/** What is known of a command's processes. */
export interface ProcessTree {
  /** Process id of the first, leader of its own group. */
  leader: number
  /** When that one was started, by `performance.now()`; ms. Absent where nobody knows. */
  startedAt?: number
  /** Value of the marker variable; the private folder's path, so a process that works inside is found as well. */
  marker: string
}

/**
 * Kills the group of a command and, on Linux, every descendant that left the group; gives the ids of those that were
 * killed beside the leader. SIGKILL at once: what it works on is a private copy, so there is nothing to save, and a
 * polite signal can be ignored.
 */
export function endProcessTree(tree: ProcessTree): Set<number> {
  const killed = new Set<number>()
  // Killing in rounds catches what was forked while the last round read /proc.
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

/** Kills all that bears a marker, whatever became of the process that started it. */
export async function killMarkedProcesses(marker: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (let round = 0; round < 10; round++) {
    const marked = findStrays({ leader: 0, marker })
    if (marked.length === 0) return
    for (const pid of marked) kill(pid)
    await waitForExit(new Set(marked), 1000)
  }
}

/** Kills the group of a command alone: enough where a namespace ends with it. */
export function killGroup(leader: number): void {
  kill(-leader)
}

/** Waits until killed processes have really ended, which a busy machine takes its time for; at most `patience` ms. */
export async function waitForExit(pids: ReadonlySet<number>, patience: number): Promise<void> {
  for (let waited = 0; waited < patience && [...pids].some(isRunning); waited += 5) await setTimeout(5)
}

/** Whether a process runs; one that has ended but was not collected yet does not. */
export function isRunning(pid: number): boolean {
  // One that has ended stays listed, as a zombie, until it is collected.
  return /\) [^ZX] /.test(readProcess(pid, 'stat'))
}

function findStrays(tree: ProcessTree): number[] {
  const mark = `${markerVariable}=${tree.marker}\0`
  const isMarked = (pid: number) => readProcess(pid, 'environ').includes(mark) || isInside(pid, tree.marker)
  return possibleDescendants(tree).filter((pid) => pid !== process.pid && isMarked(pid))
}

/** Within so short a time no machine uses up all the numbers there are for processes; ms. */
const pidWrapMs = 1000

/** So many numbers are tried sooner than a list of all processes is made. */
const maxProbedPids = 32

/**
 * Process ids count up, so the numbers of descendants lie between that of the first and the newest one there is: next to
 * nothing to look at, as long as the counter cannot have come around. Else all that run.
 */
function possibleDescendants({ leader, startedAt = Number.NEGATIVE_INFINITY }: ProcessTree): number[] {
  const newest = newestPid()
  const isPidOrdered = newest >= leader && performance.now() - startedAt < pidWrapMs
  if (isPidOrdered && newest - leader <= maxProbedPids) return existingPidsAfter(leader, newest)
  const running = readdirSync('/proc').map(Number)
  return running.filter(isPidOrdered ? (pid) => pid > leader && pid <= newest : (pid) => pid > 0)
}

/** The numbers after the first process's that somebody has. */
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
    return false // ended in the meantime, or somebody else's
  }
}

// Kept open, so that it can be read when no further file can be opened.
let load: number | undefined

function newestPid(): number {
  load ??= openSync('/proc/loadavg', 'r')
  const told = Buffer.alloc(128)
  const text = told.toString('latin1', 0, readSync(load, told, 0, told.length, 0))
  return Number(text.slice(text.lastIndexOf(' ')))
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return '' // ended in the meantime, or somebody else's
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
