import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Files } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import type { AgentPlace } from '../sandbox.ts'
import { listEntries, openFolderHandle } from './folder-handle.ts'
import { folderPrefix } from './folder-owner.ts'
import { findPathConflict, isWorkspacePath } from './paths.ts'
import { removeTree, removeTreeAsync } from './remove-tree.ts'
import { innerStagePaths, stagePathsIn, toolsPath, toolsPathIn } from './stage-folder.ts'
import { ensureFolder, writeInside } from './write-inside.ts'

/** The path of every program's workspace, as the program sees or prints it. */
export const workspacePath = '/workspace'

/** The path of its HOME and TMPDIR. */
export const homePath = '/sandbox'

/** A new folder for one program. */
export interface PrivateFolder {
  /** Unique on this machine; its name contains the owning process. */
  base: string
  /** The program's working directory, holding the files. */
  workspace: string
  /** HOME and TMPDIR of the program; created by a launcher that needs it. */
  home: string
  remove(): Promise<boolean>
}

/**
 * Writes files into a new private folder. Its contents belong to `uid` if one is given. Throws `InfrastructureError` for paths
 * that lead out of it or cannot be written.
 */
export function createPrivateFolder(files: Files, uid?: number): PrivateFolder {
  const paths = Object.keys(files)
  const bad = paths.find((path) => !isWorkspacePath(path)) ?? findPathConflict(paths)
  if (bad !== undefined) {
    throw new InfrastructureError(`the file ${JSON.stringify(bad)} cannot be created in a private folder`)
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
    removeTree(base)
    throw cannotWrite(error as Error)
  }
}

/** Creates a private folder around an agent's folders, which survive its removal. The agent's settings are written to HOME first. */
export function createPrivateFolderAround(
  { workspace, home, settings = {} }: Pick<AgentPlace, 'workspace' | 'home' | 'settings'>,
  uid?: number,
): PrivateFolder {
  try {
    if (uid !== undefined) chownOwnEntries(workspace, uid)
    ensureFolder(home, uid)
    for (const [path, text] of Object.entries(settings)) writeInside(home, path, text, uid)
  } catch (error) {
    throw cannotWrite(error as Error)
  }
  const base = createBase(uid)
  return { base, workspace, home, remove: () => removeFolder(base) }
}

function createBase(uid: number | undefined): string {
  try {
    const base = mkdtempSync(join(realpathSync(tmpdir()), folderPrefix()))
    // The other user may pass through it, and owns only its contents.
    if (uid !== undefined) chmodSync(base, 0o711)
    return base
  } catch (error) {
    throw cannotWrite(error as Error)
  }
}

function cannotWrite(error: Error): InfrastructureError {
  const message = `cannot write a private folder in ${tmpdir()}: ${shorten(error.message)}`
  return new InfrastructureError(message, { cause: error })
}

/** Gives a folder and the entries that bench created in it to a user. What a program created already belongs to it, and is skipped. */
function chownOwnEntries(path: string | Buffer, uid: number): void {
  const folder = openFolderHandle(path)
  try {
    chownSync(folder.self, uid, uid)
    for (const { name } of listEntries(folder)) {
      const place = folder.at(name)
      const found = lstatSync(place)
      if (found.uid === uid) continue
      if (found.isDirectory()) chownOwnEntries(place, uid)
      // A hard link may be a file elsewhere.
      else if (found.nlink === 1) lchownSync(place, uid, uid)
    }
  } finally {
    folder.release()
  }
}

/** Replaces the private folder's real path in output, so that equal runs print equal text. */
export function replaceFolderPaths(text: string, folder: PrivateFolder): string {
  if (!text.includes(folder.base)) return text
  const stage = stagePathsIn(folder.base)
  return text
    .replaceAll(folder.workspace, workspacePath)
    .replaceAll(stage.socket, innerStagePaths.socket)
    .replaceAll(stage.stateFolder, innerStagePaths.stateFolder)
    .replaceAll(stage.files, innerStagePaths.files)
    .replaceAll(toolsPathIn(folder.base), toolsPath)
    .replaceAll(folder.home, homePath)
    .replaceAll(folder.base, homePath)
}

const [maxTries, retryMs] = [5, 20]

/**
 * Removes a folder and its contents. Returns whether it is gone. If it cannot be removed, it stays in the temporary folder: an error
 * here would let a solution turn its failure into an infrastructure error.
 */
export async function removeFolder(base: string): Promise<boolean> {
  try {
    rmSync(base, { recursive: true, force: true })
    return true
  } catch {}
  for (let tries = 1; tries < maxTries; tries++) {
    if (await removeTreeAsync(base)) return true
    // A killed process may still be writing to it.
    await setTimeout(retryMs)
  }
  return removeTreeAsync(base)
}
