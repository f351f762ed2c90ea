import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../canonical.ts'
import { UserError } from '../errors.ts'

/**
 * Makes this process the only one on a run folder. Throws `UserError` when another one holds it. A lock whose process
 * has ended (kill -9) is taken over; of several that try, one wins.
 */
export function lockRunFolder(folder: string): () => void {
  const path = join(folder, 'lock')
  const own = JSON.stringify({ pid: process.pid, started: startTime(process.pid) })
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

interface Holder {
  pid: number
  started: string | null
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

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

/** The process lives, and is the one that wrote the lock: after a restart another may have its number. */
function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  if (isZombie(pid)) return false
  const now = startTime(pid)
  return now === null || started === null || now === started
}

/** Ended, though nobody has asked for its exit code yet. */
function isZombie(pid: number): boolean {
  const stat = readIfThere(`/proc/${pid}/stat`)
  return stat !== undefined && /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
}

/** Linux tells when a process began, in ticks since boot; elsewhere the number alone must do. */
function startTime(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}
