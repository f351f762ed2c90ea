import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Files } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { findPathConflict, isWorkspacePath } from './paths.ts'

/** Where the parts of a stage are. */
export interface StagePaths {
  /** The folder of its read-only files. */
  files: string
  stateFolder: string
  socket: string
}

/** The name of the state file in its folder. */
export const stateName = 'state.json'

/** The paths that a stage sees where its folders are mounted for it. */
export const innerStagePaths: StagePaths = { files: '/stage', stateFolder: '/state', socket: '/socket' }

/** Returns where the parts of a stage are in its private folder. */
export const stagePathsIn = (base: string): StagePaths => ({
  files: join(base, 'stage'),
  stateFolder: join(base, 'state'),
  // In a folder of its own, so that nobody else can connect before its rights are set.
  socket: join(base, 'link', 'socket'),
})

/** Returns the environment variables that name the parts of a stage. */
export const stageEnvironment = ({ files, stateFolder, socket }: StagePaths) => ({
  BENCH_STAGE: files,
  BENCH_STATE: join(stateFolder, stateName),
  BENCH_SOCKET: socket,
})

/** Where the read-only files of a program are, as it sees them where they are mounted, and in its private folder. */
export const toolsPath = '/tools'
export const toolsPathIn = (base: string) => join(base, 'tools')

/** Writes files that a program can read and not change into a new folder. */
export function createReadOnlyFolder(root: string, files: Files): void {
  const names = Object.keys(files)
  const bad = names.find((path) => !isWorkspacePath(path)) ?? findPathConflict(names)
  if (bad !== undefined)
    throw new InfrastructureError(`the file ${JSON.stringify(bad)} of a stage cannot be created`)
  const folders = new Set([root])
  mkdirSync(root)
  for (const path of names) {
    const file = join(root, path)
    for (let folder = dirname(file); folder !== root; folder = dirname(folder)) folders.add(folder)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, files[path] as string)
    chmodSync(file, 0o444)
  }
  // Another user must be able to read them, whatever the umask is.
  for (const folder of folders) chmodSync(folder, 0o555)
}

/** Writes the files of a stage, and its state, into its private folder. Only the state belongs to `uid`, if one is given. */
export function createStageFolder(base: string, files: Files, state: string, uid?: number): void {
  const paths = stagePathsIn(base)
  createReadOnlyFolder(paths.files, files)
  mkdirSync(paths.stateFolder, { mode: 0o700 })
  mkdirSync(dirname(paths.socket), { mode: 0o700 })
  const stateFile = join(paths.stateFolder, stateName)
  writeFileSync(stateFile, state)
  if (uid !== undefined)
    for (const path of [paths.stateFolder, dirname(paths.socket), stateFile]) chownSync(path, uid, uid)
}
