import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Names a command's processes: it stands in their environment, also in that of those with a session of their own. */
export const markerVariable = 'BENCH_SANDBOX'

/** What is known of a command's processes. */
export interface ProcessTree {
  /** Process id of the first, leader of its own group. */
  leader: number
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
    const strays = process.platform === 'linux' ? straysOf(tree) : []
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
export async function endMarked(marker: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (let round = 0; round < 10; round++) {
    const marked = straysOf({ leader: 0, marker })
    if (marked.length === 0) return
    for (const pid of marked) kill(pid)
    await haveEnded(new Set(marked), 1000)
  }
}

/** Kills the group of a command alone: enough where a namespace ends with it. */
export function killGroup(leader: number): void {
  kill(-leader)
}

/** Waits until killed processes have really ended, which a busy machine takes its time for; at most `patience` ms. */
export async function haveEnded(pids: ReadonlySet<number>, patience: number): Promise<void> {
  for (let waited = 0; waited < patience && [...pids].some(isRunning); waited += 5) await setTimeout(5)
}

/** Whether a process runs; one that has ended but was not collected yet does not. */
export function isRunning(pid: number): boolean {
  // One that has ended stays listed, as a zombie, until it is collected.
  return /\) [^ZX] /.test(readProcess(pid, 'stat'))
}

function straysOf({ leader, marker }: ProcessTree): number[] {
  // Process ids count up, so only younger ones can be descendants: reading these alone makes the sweep cost next to
  // nothing. Once the counter has wrapped around, all are read.
  const oldest = newestPid() < leader ? 0 : leader
  const mark = `${markerVariable}=${marker}\0`
  const strays: number[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!(pid > oldest) || pid === process.pid) continue
    if (readProcess(pid, 'environ').includes(mark) || isInside(pid, marker)) strays.push(pid)
  }
  return strays
}

function isInside(pid: number, folder: string): boolean {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    return cwd === folder || cwd.startsWith(`${folder}/`)
  } catch {
    return false // ended in the meantime, or somebody else's
  }
}

function newestPid(): number {
  return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1))
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
