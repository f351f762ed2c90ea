import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../text/errors.ts'
import { heartbeatMs, lockPath, removeLock } from './lock.ts'
import { holderState, parseHolder, readLock } from './lock-holder.ts'
import { endKilledSession } from './sessions.ts'

/** Three heartbeats: a living holder renews its lock in that time, whatever the clock of its machine says. */
const watchMs = 3 * heartbeatMs + 500

/**
 * Removes the lock that a dead process of another machine or container left on a run folder. A lock of this machine is left to
 * `lockRunFolder`, which can see whether its process is alive. Throws `UserError` if the holder renews its lock.
 */
export async function removeForeignLock(folder: string): Promise<void> {
  const path = lockPath(folder)
  const text = readLock(path)
  const holder = parseHolder(text)
  if (text === undefined || (holder && holderState(holder) !== 'foreign')) return
  const before = touchedAt(path)
  await sleep(watchMs)
  // The file is read before its time: opening it makes a network file system refresh the time.
  const now = readLock(path)
  if (now === undefined) return
  if (now === text && touchedAt(path) === before) {
    // If several processes take it over, one records the end.
    return removeLock(folder, text, () => endKilledSession(folder, holder?.ms))
  }
  throw new UserError({
    where: folder,
    what: `is held by a bench that is alive: its lock changed within ${watchMs / 1000} s`,
    fix: 'Stop that bench on its machine, or wait until it has ended.',
  })
}

const touchedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs
