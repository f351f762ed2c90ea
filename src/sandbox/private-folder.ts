import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { InfrastructureError } from '../errors.ts'
import type { Files } from '../schema/task.ts'
import { clashingPath, isWorkspacePath } from './paths.ts'

/** The path under which every command's folder is named in its output, wherever it really stands. */
const workspacePath = '/workspace'

/** A fresh folder of one command. */
export interface PrivateFolder {
  /** Unique on this machine; HOME and TMPDIR of the command. */
  base: string
  /** The command's working directory, holding the files. */
  workspace: string
  remove(): Promise<void>
}

/** Writes files into a fresh private folder. Throws `InfrastructureError` for paths that lead out of it or that cannot be written. */
export function createPrivateFolder(files: Files): PrivateFolder {
  const paths = Object.keys(files)
  const bad = paths.find((path) => !isWorkspacePath(path)) ?? clashingPath(paths)
  if (bad !== undefined) {
    throw new InfrastructureError(`the file ${JSON.stringify(bad)} cannot stand in a private folder`)
  }
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'bench-'))
  const workspace = join(base, 'workspace')
  try {
    mkdirSync(workspace)
    const made = new Set(['.'])
    for (const path of paths) {
      const folder = dirname(path)
      if (!made.has(folder)) mkdirSync(join(workspace, folder), { recursive: true })
      made.add(folder)
      writeFileSync(join(workspace, path), files[path] as string)
    }
  } catch (error) {
    throw new InfrastructureError(
      `cannot write a private folder in ${tmpdir()}: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
  return { base, workspace, remove: () => removeFolder(base) }
}

/** Output with the private folder's real path replaced, so that equal runs print equal text. */
export function withFixedPath(text: string, folder: PrivateFolder): string {
  if (!text.includes(folder.base)) return text
  return text.replaceAll(folder.workspace, workspacePath).replaceAll(folder.base, '/sandbox')
}

async function removeFolder(base: string): Promise<void> {
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
