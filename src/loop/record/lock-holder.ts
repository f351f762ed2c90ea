import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { machineId } from '../../sandbox/folders/folder-owner.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '../../sandbox/machine/process-identity.ts'

/** Who holds a run folder. */
export interface LockHolder extends ProcessIdentity {
  /** Where its process number means something; absent in locks that were written without it. */
  machine?: string
  /** Host name, for people. */
  host?: string
  /** How long it has held the folder, by a clock that nobody sets; ms. */
  ms?: number
}

/** This process, as it stands in a lock that it has held for `ms`. */
export function ownLockText(ms: number): string {
  const holder: LockHolder = { ...thisProcess(), machine: machineId(), host: hostname(), ms: Math.round(ms) }
  return JSON.stringify(holder)
}

/** Whether a lock is this process's own. */
export function isOwn(text: string | undefined): boolean {
  const holder = parseHolder(text)
  const { pid, started } = thisProcess()
  return holder?.pid === pid && holder.started === started && holder.machine === machineId()
}

/** The holder that a lock names; undefined for a text that names none. */
export function parseHolder(text: string | undefined): LockHolder | undefined {
  if (text === undefined) return undefined
  try {
    const holder = JSON.parse(text) as LockHolder | null
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    return undefined
  }
}

/** `foreign`: the process number is of another machine or container, so nothing here tells whether it lives. */
export function stateOf(holder: LockHolder): 'alive' | 'ended' | 'foreign' {
  if (holder.machine !== undefined && holder.machine !== machineId()) return 'foreign'
  return isAlive(holder) ? 'alive' : 'ended'
}

/** The text of a lock; undefined where there is none. */
export function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
