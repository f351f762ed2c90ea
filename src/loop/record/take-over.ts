import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../text/errors.ts'
import { heartbeatMs, lockPath, removeLock } from './lock.ts'
import { holderState, parseHolder, readLock } from './lock-holder.ts'
import { endKilledSession } from './sessions.ts'

/** Three heartbeats: a holder that lives renews its lock in that time, whatever its machine's clock says. */
const watchMs = 3 * heartbeatMs + 500

/**
 * Removes the lock that a dead bench of another machine or container left on a run folder. A holder of this machine is
 * left to `lockRunFolder`, which sees whether it lives. Throws `UserError` when the holder shows a sign of life.
 */
export async function removeForeignLock(folder: string): Promise<void> {
  const path = lockPath(folder)
  const held = readLock(path)
  const holder = parseHolder(held)
  if (held === undefined || (holder && holderState(holder) !== 'foreign')) return
  const before = touchedAt(path)
  await sleep(watchMs)
  // Read before the time is asked for: opening a file makes a network file system look at it anew.
  const now = readLock(path)
  if (now === undefined) return
  if (now === held && touchedAt(path) === before) {
    // Of several that take it over at once, one alone notes the end.
    return removeLock(folder, held, () => endKilledSession(folder, holder?.ms))
  }
  throw new UserError({
    where: folder,
    what: `is held by a living bench: its lock changed within ${watchMs / 1000} s`,
    fix: 'Stop that bench where it runs, or wait until it has ended.',
  })
}

const touchedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs
