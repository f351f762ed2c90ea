import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../canonical.ts'
import { UserError } from '../errors.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '../sandbox/process-identity.ts'
import { isDiskFault, storageError } from './storage.ts'

/**
 * Makes this process the only one on a run folder. Throws `UserError` when another one holds it. A lock whose process
 * has ended (kill -9) is taken over; of several that try, one wins.
 */
export function lockRunFolder(folder: string): () => void {
  const path = join(folder, 'lock')
  const own = JSON.stringify(thisProcess())
  for (let tries = 0; tries < 5; tries++) {
    if (createFile(path, own)) return () => rmSync(path, { force: true })
    const held = readIfThere(path)
    if (held === undefined) continue
    const holder = parse(held)
    if (holder && isAlive(holder)) refuse(folder, holder.pid)
    // Only one process may remove this very lock: a second one would remove the winner's new lock instead.
    const claim = join(folder, `lock.over-${sha256(held).slice(0, 12)}`)
    if (!createFile(claim, own)) {
      const claimant = parse(readIfThere(claim) ?? '')
      if (claimant && isAlive(claimant)) refuse(folder, claimant.pid)
      rmSync(claim, { force: true })
      continue
    }
    if (readIfThere(path) === held) rmSync(path, { force: true })
    rmSync(claim, { force: true })
  }
  return refuse(folder, 0)
}

/** Throws `UserError` when another process is at work on a run folder. Takes no lock. */
export function refuseHeldFolder(folder: string): void {
  const holder = parse(readIfThere(join(folder, 'lock')) ?? '')
  if (holder && isAlive(holder)) refuse(folder, holder.pid)
}

function refuse(folder: string, pid: number): never {
  throw new UserError({
    where: folder,
    what: `another bench${pid > 0 ? ` (process ${pid})` : ''} is at work on this run folder`,
    fix: 'Wait until it has ended, or stop it, then try again.',
  })
}

/** Creates a file with its content at once, so that nobody can read it half written; false when it is there already. */
function createFile(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, content)
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    if (isDiskFault(error)) throw storageError(path, error)
    throw new UserError({
      where: path,
      what: `cannot be written (${(error as NodeJS.ErrnoException).code})`,
      fix: 'Give a folder that you may write to.',
    })
  } finally {
    rmSync(draft, { force: true })
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function parse(text: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(text) as ProcessIdentity
  } catch {
    return undefined
  }
}
