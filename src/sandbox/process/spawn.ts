import { lstatSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { workspacePath } from '../folders/private-folder.ts'
import type { Launcher } from '../launcher.ts'
import { defaultLimits, type SandboxLimits } from '../limits.ts'
import { openFilesError } from '../machine/open-files.ts'
import { hasSpace } from '../machine/temporary-folder.ts'
import type { SandboxCommand, SandboxResult, SandboxRun } from '../sandbox.ts'
import { findExceededLimit, floodFactor } from './ending.ts'
import {
  killProgram,
  measureProgramMemory,
  type Program,
  prepareProgram,
  readProgramEnd,
  releaseProgram,
  startProgram,
  watchProgramFiles,
} from './program.ts'
import { nextCheckMs } from './shared-memory.ts'
import { type OpenStage, openStage } from './stage-socket.ts'
import { maxCheckIntervalMs, supervise } from './supervise.ts'
import { unsandboxed } from './unsandboxed.ts'

const defaultMaxOutputBytes = 1024 * 1024

/** Runs a command in a private folder with a fixed environment, without a sandbox. */
export const spawnUnsandboxed: SandboxRun = createSandboxRun(unsandboxed)

/**
 * Creates the function that runs programs with one launcher. It rejects with the signal's reason if aborted and with
 * `InfrastructureError` if a program cannot be started, always after the process tree has ended and its folder is removed.
 */
export function createSandboxRun(launcher: Launcher): SandboxRun {
  return async (command) => {
    command.signal?.throwIfAborted()
    if (command.peer && command.stdin !== undefined)
      throw new InfrastructureError(
        'a command with a peer cannot have stdin: it reads the output of its peer',
      )
    const limits = { ...defaultLimits, ...command.limits }
    const programs: Program[] = []
    let stage: OpenStage | undefined
    try {
      const first = prepareProgram(launcher, command, limits)
      programs.push(first)
      if (command.peer) programs.push(prepareProgram(launcher, command.peer, limits))
      if (command.stage) stage = await openStage(first, command.stage)
      const result = await runPrograms(programs, command, limits, launcher, stage?.host.waitedMs)
      await stage?.close()
      await stage?.host.end(result)
      command.onEnd?.(first.folder.workspace)
      return result
    } catch (error) {
      throw openFilesError(error)
    } finally {
      await stage?.close()
      await Promise.all(programs.map(releaseProgram))
    }
  }
}

/** Runs prepared programs under the limits of their command and returns how they ended. */
export async function runPrograms(
  programs: readonly Program[],
  command: SandboxCommand,
  limits: SandboxLimits,
  launcher: Launcher,
  waitedMs?: () => number,
): Promise<SandboxResult> {
  const [first, peer] = programs as readonly [Program, Program?]
  const startedAt = performance.now()
  const { timeoutMs, signal, maxOutputBytes: maxBytes = defaultMaxOutputBytes } = command
  const floodBytes = Math.min(maxBytes * floodFactor, limits.fileBytes)
  const isFlooded = ({ stdout, stderr }: Program) => Math.max(stdout.size(), stderr.size()) >= floodBytes
  const check = (program: Program) => {
    if (isFlooded(program)) return 'end'
    const shared = measureProgramMemory(program, limits.memoryBytes)
    if (shared > limits.memoryBytes) {
      program.exceeds = 'memory'
      killProgram(program) // its peer stays alive and reports the end
    }
    return nextCheckMs(shared, limits.memoryBytes, maxCheckIntervalMs)
  }
  const start = () => startAll(first, peer, command)
  const watches = programs.map((program) => watchProgramFiles(program, limits))
  const finishWatches = () =>
    Promise.all(
      programs.map(async (program, at) => {
        const found = await watches[at]?.finish()
        program.exceeds ??= found
      }),
    )
  const supervised = supervise(programs, start, { timeoutMs, waitedMs, check, signal })
  const { timedOut } = await supervised.finally(finishWatches)
  for (const { stdout, stderr } of programs) {
    stdout.finish()
    stderr.finish()
  }
  assertDiskSpace(programs.map(({ folder }) => folder.base))

  const endingOf = (program: Program) => {
    const end = readProgramEnd(program, maxBytes)
    const flooded = isFlooded(program)
    // Whether the harness or the kernel ended it is a matter of timing.
    const stableEnd = flooded || program.exceeds ? { ...end, exitCode: null, killedBy: 'SIGKILL' } : end
    const isLate = timedOut && program === first
    return {
      ...stableEnd,
      ...findExceededLimit({
        ...stableEnd,
        timedOut: isLate,
        flooded,
        exceeds: program.exceeds,
        timeoutMs,
        floodBytes,
        limits,
      }),
    }
  }
  const { stdout: _, ...peerEnd } = peer ? endingOf(peer) : { stdout: '' }
  return {
    ...endingOf(first),
    timedOut,
    truncated: programs.some(({ stdout, stderr }) => Math.max(stdout.size(), stderr.size()) > maxBytes),
    ...('stderr' in peerEnd && { peer: peerEnd }),
    level: launcher.level,
    durationMs: performance.now() - startedAt,
  }
}

function startAll(first: Program, peer: Program | undefined, command: SandboxCommand): void {
  const { talk } = command
  const input = command.stdin === undefined && !peer && !talk ? 'ignore' : 'pipe'
  const { stdin, stdout } = startProgram(first, { stdin: input, stdout: peer || talk ? 'pipe' : 'file' })
  stdin?.on('error', () => {}) // it ended without reading its input
  if (talk && stdin && stdout) {
    const { launcher, folder } = first
    const cwd = launcher.inPlace ? folder.workspace : workspacePath
    const { uid } = launcher
    talk({ input: stdin, output: stdout, cwd, ...(uid !== undefined && { uid }) })
    return
  }
  if (!peer || !stdin || !stdout) {
    stdin?.end(command.stdin)
    return
  }
  // Synchronously, before this process could read from the pipes; from then on only the two programs hold them.
  try {
    startProgram(peer, { stdin: stdout, stdout: stdin, apart: command.peerStdin === 'empty' })
  } finally {
    stdin.destroy()
    stdout.destroy()
  }
}

/** Programs that wrote this much are taken to have filled the disk themselves; bytes. */
const ownFaultBytes = 16 * 1024 * 1024

/**
 * Throws `InfrastructureError` if the disk of private folders is full and the programs in them did not fill it: their results
 * cannot be judged.
 */
function assertDiskSpace(folders: readonly string[]): void {
  const [first] = folders
  if (first === undefined || hasSpace(first)) return
  if (folders.reduce((sum, folder) => sum + bytesIn(folder), 0) >= ownFaultBytes) return
  throw new InfrastructureError(
    `the disk of ${tmpdir()} is full, so results of programs there are unreliable. Free some space, or set TMPDIR to a folder on another disk`,
  )
}

/** Returns the size on disk, without following links. Unreadable entries count as 0. */
function bytesIn(path: string): number {
  try {
    const stat = lstatSync(path)
    const own = stat.blocks * 512
    if (!stat.isDirectory()) return own
    return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), own)
  } catch {
    return 0
  }
}
