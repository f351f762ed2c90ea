import { readFileSync } from 'node:fs'

/** A process, told apart from a later one with the same number. */
export interface ProcessIdentity {
  pid: number
  /** When it began, in ticks since boot; null where the system does not tell. */
  started: string | null
}

let own: ProcessIdentity | undefined

/** The process that asks. */
export function thisProcess(): ProcessIdentity {
  own ??= { pid: process.pid, started: startTime(process.pid) }
  return own
}

/** Whether that very process lives: after a restart another may have its number. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const fields = statFields(pid)
  // One that has ended stays listed, as a zombie, until it is collected.
  if (fields && /^[ZX]$/.test(fields[0] ?? '')) return false
  const now = fields?.[19] ?? null
  return now === null || started === null || now === started
}

function startTime(pid: number): string | null {
  return statFields(pid)?.[19] ?? null
}

/** The fields of Linux's stat file from the state on; undefined elsewhere. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
