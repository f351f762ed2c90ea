import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import { InfrastructureError } from '../../text/errors.ts'
import {
  createPrivateFolder,
  createPrivateFolderAround,
  type PrivateFolder,
  replaceFolderPaths,
} from '../folders/private-folder.ts'
import {
  createReadOnlyFolder,
  createStageFolder,
  innerStagePaths,
  type StagePaths,
  stageEnvironment,
  stagePathsIn,
  toolsPath,
  toolsPathIn,
} from '../folders/stage-folder.ts'
import type { Launch, Launcher, WrapperStatus } from '../launcher.ts'
import type { SandboxLimits } from '../limits.ts'
import { startProcess } from '../machine/start-process.ts'
import type { ProgramEnd, SandboxProgram } from '../sandbox.ts'
import { isInside } from '../tools/toolchain.ts'
import { createOutputFile, decodeExit, type Excess, type OutputFile } from './ending.ts'
import { type FileWatch, watchFiles } from './file-use.ts'
import { endProcessTree, killGroup, waitForExit } from './process-tree.ts'
import { measureSharedMemory, withDescendants } from './shared-memory.ts'

/** The state of one program before, while and after it runs. */
export interface Program {
  name: string
  launcher: Launcher
  folder: PrivateFolder
  stdout: OutputFile
  stderr: OutputFile
  /** The wrapper's status output. */
  status: OutputFile | undefined
  launch: Launch
  child: ChildProcess | undefined
  /** By `performance.now()`; ms. */
  startedAt: number
  ended: { code: number | null; signal: string | null } | undefined
  /** Bench ended it before it ended by itself. */
  stopped: boolean
  killed: Set<number>
  /** The limit because of which bench ended it. */
  exceeds: Excess | undefined
}

/** Prepares everything that a program needs. If it throws, nothing is left behind. */
export function prepareProgram(launcher: Launcher, what: SandboxProgram, limits: SandboxLimits): Program {
  const folder = what.place
    ? createPrivateFolderAround(what.place, launcher.uid)
    : createPrivateFolder(what.files, launcher.uid)
  try {
    return prepareIn(folder, launcher, what, limits)
  } catch (error) {
    folder.remove()
    throw error
  }
}

function prepareIn(
  folder: PrivateFolder,
  launcher: Launcher,
  what: SandboxProgram,
  limits: SandboxLimits,
): Program {
  const { stage, tools } = what
  if (stage) createStageFolder(folder.base, stage.files, stage.state, launcher.uid)
  if (tools) createReadOnlyFolder(toolsPathIn(folder.base), tools)
  const { inPlace } = launcher
  const placed = tools ? withPlace(what, 'tools', inPlace ? toolsPathIn(folder.base) : toolsPath) : what
  const paths = inPlace ? stagePathsIn(folder.base) : innerStagePaths
  return {
    name: what.command[0] ?? '',
    launcher,
    folder,
    launch: launcher.launch(folder, stage ? withStagePaths(placed, paths) : placed, limits),
    stdout: createOutputFile(folder.base, 'stdout'),
    stderr: createOutputFile(folder.base, 'stderr'),
    status: launcher.readStatus && createOutputFile(folder.base, 'status'),
    child: undefined,
    startedAt: performance.now(),
    ended: undefined,
    stopped: false,
    killed: new Set(),
    exceeds: undefined,
  }
}

const withStagePaths = (what: SandboxProgram, paths: StagePaths): SandboxProgram => ({
  ...withPlace(what, 'stage', paths.files),
  env: {
    ...mapValues(what.env ?? {}, (text) => text.replace(/^\{stage\}(?=\/|$)/, () => paths.files)),
    ...stageEnvironment(paths),
  },
})

const mapValues = (texts: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]))

const withPlace = (what: SandboxProgram, name: string, path: string): SandboxProgram => ({
  ...what,
  command: what.command.map((part) => part.replace(new RegExp(`^\\{${name}\\}(?=/|$)`), () => path)),
})

interface Streams {
  stdin: 'ignore' | 'pipe' | NonNullable<ChildProcess['stdout']>
  stdout: 'file' | 'pipe' | NonNullable<ChildProcess['stdin']>
  /** Connects the descriptors 5 and 6 instead, if the launcher can pass them. */
  apart?: boolean
}

/** Starts a program. A start error is thrown or comes as the child's `error` event. */
export function startProgram(program: Program, { stdin, stdout, apart }: Streams): ChildProcess {
  const { launch, status, stderr } = program
  const output = stdout === 'file' ? program.stdout.fd : stdout
  const isApart = apart && program.launcher.passesDescriptors
  const stdio: StdioOptions = isApart
    ? ['ignore', stderr.fd, stderr.fd, 'ignore', 'ignore', stdin, output]
    : [stdin, output, stderr.fd]
  if (status) stdio[3] = status.fd
  let filter: number | undefined
  try {
    filter = launch.openFilter?.()
    if (filter !== undefined) stdio[4] = filter
    const child = startProcess(launch.file, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      detached: true, // a group of its own, so that one kill reaches all of it
      stdio,
    })
    program.child = child
    return child
  } catch (error) {
    throw createStartError(program.name, error as Error)
  } finally {
    if (filter !== undefined) closeSync(filter)
  }
}

/** Kills all processes of a program that can be reached from outside. May be called repeatedly. */
export function killProgram(program: Program): void {
  const leader = program.child?.pid
  if (leader === undefined) return
  const { status, startedAt, folder } = program
  program.stopped ||= !program.ended
  if (status) killGroup(leader)
  else for (const pid of endProcessTree({ leader, startedAt, marker: folder.base })) program.killed.add(pid)
}

/** Returns the memory that a program's processes share, in bytes; 0 if no wrapper reports its processes. */
export function measureProgramMemory(program: Program, limit: number): number {
  const init = statusOf(program)?.init
  return init === undefined ? 0 : measureSharedMemory(init, limit)
}

/** Watches the files of a program in its own folders, and ends it if they exceed the limit. */
export function watchProgramFiles(program: Program, limits: SandboxLimits): FileWatch {
  const { base, workspace, home } = program.folder
  const others = [workspace, home].filter((place) => !isInside(place, base) && existsSync(place))
  const processes = () => {
    const init = statusOf(program)?.init
    return init === undefined ? [] : withDescendants(init)
  }
  return watchFiles([base, ...others], processes, limits, () => killProgram(program))
}

/** Waits until no process of a program runs; at most `timeoutMs`. */
export async function waitForProgramEnd(program: Program, timeoutMs: number): Promise<void> {
  const init = statusOf(program)?.init
  if (init !== undefined) program.killed.add(init)
  await waitForExit(program.killed, timeoutMs)
  await program.launch.cleanUp?.()
}

/** Returns how a program ended. Throws `InfrastructureError` if its sandbox could not be set up. */
export function readProgramEnd(program: Program, maxBytes: number): ProgramEnd & { stdout: string } {
  const { ended, folder } = program
  const text = (file: OutputFile) => replaceFolderPaths(file.text(maxBytes), folder)
  const stderr = text(program.stderr)
  if (statusOf(program)?.started === false && ended?.signal === null)
    throw new InfrastructureError(`the sandbox for ${program.name} cannot be set up: ${stderr.trim()}`)
  const { stopped, status } = program
  return {
    ...(ended ? decodeExit(ended.code, ended.signal) : { exitCode: null, killedBy: 'SIGKILL' }),
    stdout: text(program.stdout),
    stderr,
    ...(stopped && { stopped }),
    // A program inside sees neither the process that wraps it nor the user that it runs as.
    ...(status && !stopped && ended?.signal && { fromOutside: true }),
  }
}

/** Closes a program's files and removes its folder. */
export async function releaseProgram(program: Program): Promise<void> {
  closeOutput(program)
  await program.folder.remove()
}

function closeOutput({ stdout, stderr, status }: Program): void {
  stdout.close()
  stderr.close()
  status?.close()
}

/** Creates the error for a program that did not start. */
export function createStartError(name: string, error: Error): InfrastructureError {
  return new InfrastructureError(`the program ${name} cannot be started: ${error.message}`, { cause: error })
}

function statusOf({ launcher, status }: Program): WrapperStatus | undefined {
  return status && launcher.readStatus?.(status.text(4096))
}
