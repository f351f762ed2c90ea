import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { machineId } from '../../sandbox/folders/folder-owner.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '../../sandbox/machine/process-identity.ts'

/** The process that holds a run folder. */
export interface LockHolder extends ProcessIdentity {
  /** The machine or container in which its process number is valid; may be absent. */
  machine?: string
  /** Host name, for messages. */
  host?: string
  /** How long it has held the folder by a monotonic clock; ms. */
  ms?: number
}

/** Returns the text of a lock that this process has held for `ms`. */
export function ownLockText(ms: number): string {
  const holder: LockHolder = { ...thisProcess(), machine: machineId(), host: hostname(), ms: Math.round(ms) }
  return JSON.stringify(holder)
}

/** Returns whether this process wrote the lock. */
export function isOwnLock(text: string | undefined): boolean {
  const holder = parseHolder(text)
  const { pid, started } = thisProcess()
  return holder?.pid === pid && holder.started === started && holder.machine === machineId()
}

/** Returns the holder that a lock names; undefined if the text names none. */
export function parseHolder(text: string | undefined): LockHolder | undefined {
  if (text === undefined) return undefined
  try {
    const holder = JSON.parse(text) as LockHolder | null
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    return undefined
  }
}

/** Returns the state of a holder. `foreign`: it is on another machine or in another container, so its process cannot be seen. */
export function holderState(holder: LockHolder): 'alive' | 'ended' | 'foreign' {
  if (holder.machine !== undefined && holder.machine !== machineId()) return 'foreign'
  return isAlive(holder) ? 'alive' : 'ended'
}

/** Returns the text of a lock; undefined if it cannot be read. */
export function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
