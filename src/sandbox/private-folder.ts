import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { chmod, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { InfrastructureError } from '../errors.ts'
import type { Files } from '../schema/task.ts'
import { folderPrefix } from './folder-owner.ts'
import { clashingPath, isWorkspacePath } from './paths.ts'

/** The path of every program's files, as it sees or prints it, wherever they really stand. */
export const workspacePath = '/workspace'

/** The same for its HOME and TMPDIR. */
export const homePath = '/sandbox'

/** A fresh folder of one program. */
export interface PrivateFolder {
  /** Unique on this machine; its name says whose it is. */
  base: string
  /** The program's working directory, holding the files. */
  workspace: string
  /** HOME and TMPDIR of the program; made by a launcher that needs it there. */
  home: string
  remove(): Promise<void>
}

/**
 * Writes files into a fresh private folder; what is in it belongs to `uid` if one is given. Throws `InfrastructureError` for
 * paths that lead out of it or that cannot be written.
 */
export function createPrivateFolder(files: Files, uid?: number): PrivateFolder {
  const paths = Object.keys(files)
  const bad = paths.find((path) => !isWorkspacePath(path)) ?? clashingPath(paths)
  if (bad !== undefined) {
    throw new InfrastructureError(`the file ${JSON.stringify(bad)} cannot stand in a private folder`)
  }
  const give = (path: string) => uid !== undefined && chownSync(path, uid, uid)
  const base = createBase(uid)
  try {
    const workspace = join(base, 'workspace')
    const made = new Set<string>()
    const makeFolder = (path: string) => {
      if (made.has(path)) return
      if (path !== workspace) makeFolder(dirname(path))
      mkdirSync(path, path === workspace ? 0o700 : 0o755)
      give(path)
      made.add(path)
    }
    makeFolder(workspace)
    for (const path of paths) {
      const file = join(workspace, path)
      makeFolder(dirname(file))
      writeFileSync(file, files[path] as string)
      give(file)
    }
    return { base, workspace, home: join(base, 'home'), remove: () => removeFolder(base) }
  } catch (error) {
    rmSync(base, { recursive: true, force: true })
    throw cannotWrite(error as Error)
  }
}

/** The same around an agent's own folders, which stay when it is removed. */
export function createPrivateFolderAround(
  { workspace, home }: { workspace: string; home: string },
  uid?: number,
): PrivateFolder {
  try {
    if (uid !== undefined) for (const place of [workspace, home]) giveAll(place, uid)
  } catch (error) {
    throw cannotWrite(error as Error)
  }
  const base = createBase(uid)
  return { base, workspace, home, remove: () => removeFolder(base) }
}

function createBase(uid: number | undefined): string {
  try {
    const base = mkdtempSync(join(realpathSync(tmpdir()), folderPrefix()))
    // That user passes through it, and owns what is inside alone.
    if (uid !== undefined) chmodSync(base, 0o711)
    return base
  } catch (error) {
    throw cannotWrite(error as Error)
  }
}

function cannotWrite(error: Error): InfrastructureError {
  const message = `cannot write a private folder in ${tmpdir()}: ${error.message}`
  return new InfrastructureError(message, { cause: error })
}

function giveAll(path: string, uid: number): void {
  lchownSync(path, uid, uid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) giveAll(join(path, name), uid)
}

/** Output with the private folder's real path replaced, so that equal runs print equal text. */
export function withFixedPath(text: string, folder: PrivateFolder): string {
  if (!text.includes(folder.base)) return text
  return text
    .replaceAll(folder.workspace, workspacePath)
    .replaceAll(folder.home, homePath)
    .replaceAll(folder.base, homePath)
}

/** Removes a folder of ours and all in it, as far as that is possible. */
export async function removeFolder(base: string): Promise<void> {
  try {
    rmSync(base, { recursive: true, force: true }) // half the cost of the asynchronous one
  } catch {
    // A command may have taken away its own folders' permissions, or a process of it may be dying still. What cannot
    // be removed after all stays in the temporary folder: failing the trial for it would let a solution turn its
    // failure into an error of ours.
    await openUp(base).catch(() => {})
    await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => {})
  }
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openUp(join(folder, entry.name))
  }
}
