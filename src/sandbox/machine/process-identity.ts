import { readFileSync } from 'node:fs'

/** Identifies a process, and distinguishes it from a later one with the same number. */
export interface ProcessIdentity {
  pid: number
  /** Start time in ticks since boot; null if the system does not report it. */
  started: string | null
}

let own: ProcessIdentity | undefined

/** Returns the identity of the current process. */
export function thisProcess(): ProcessIdentity {
  own ??= { pid: process.pid, started: startTime(process.pid) }
  return own
}

/** Whether this very process is alive: another process may have its number by now. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const fields = statFields(pid)
  // A zombie has ended.
  if (fields && /^[ZX]$/.test(fields[0] ?? '')) return false
  const now = fields?.[19] ?? null
  return now === null || started === null || now === started
}

function startTime(pid: number): string | null {
  return statFields(pid)?.[19] ?? null
}

/** Returns the fields of Linux's stat file from the state on; undefined on other systems. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
