import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withStorageErrors } from '../journal/storage.ts'
import { lockPath } from './lock.ts'
import { holderState, parseHolder, readLock } from './lock-holder.ts'

const pausePath = (folder: string) => join(folder, 'pause')

/** Asks the bench that works on a run to stop at the next checkpoints. Returns whether a bench works on it; else does nothing. */
export function requestPause(folder: string): boolean {
  const holder = parseHolder(readLock(lockPath(folder)))
  if (!holder || holderState(holder) === 'ended') return false
  withStorageErrors(pausePath(folder), () => writeFileSync(pausePath(folder), ''))
  return true
}

/** Whether a pause was requested. */
export const isPauseRequested = (folder: string) => existsSync(pausePath(folder))

/** Takes a request back. */
export function clearPause(folder: string): void {
  withStorageErrors(pausePath(folder), () => rmSync(pausePath(folder), { force: true }))
}
