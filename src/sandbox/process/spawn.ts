import { InfrastructureError } from '../../text/errors.ts'
import type { Launcher } from '../launcher.ts'
import { defaultLimits, type SandboxLimits } from '../limits.ts'
import { assertDiskSpace } from '../machine/disk-space.ts'
import { openFilesError } from '../machine/open-files.ts'
import type { SandboxCommand, SandboxResult, SandboxRun } from '../sandbox.ts'
import { findExceededLimit } from './ending.ts'
import { floodFactor } from './output.ts'
import {
  killProgram,
  measureProgramMemory,
  type Program,
  prepareProgram,
  readProgramEnd,
  releaseProgram,
  startProgram,
} from './program.ts'
import { nextCheckMs } from './shared-memory.ts'
import { maxCheckIntervalMs, supervise } from './supervise.ts'
import { unsandboxed } from './unsandboxed.ts'

const defaultMaxOutputBytes = 1024 * 1024

/** Runs a command in a private folder with a fixed environment, without a sandbox around it. */
export const spawnUnsandboxed: SandboxRun = createSandboxRun(unsandboxed)

/**
 * The door to programs behind one launcher. Rejects with the signal's reason when aborted, with `InfrastructureError`
 * when a program cannot be started; in all cases only after its process tree has ended and its folder is gone.
 */
export function createSandboxRun(launcher: Launcher): SandboxRun {
  return async (command) => {
    command.signal?.throwIfAborted()
    if (command.peer && command.stdin !== undefined)
      throw new InfrastructureError('a command with a peer reads from it, and from nothing else')
    const limits = { ...defaultLimits, ...command.limits }
    const programs: Program[] = []
    try {
      programs.push(prepareProgram(launcher, command, limits))
      if (command.peer) programs.push(prepareProgram(launcher, command.peer, limits))
      return await runPrograms(programs, command, limits, launcher)
    } catch (error) {
      throw openFilesError(error)
    } finally {
      await Promise.all(programs.map(releaseProgram))
    }
  }
}

/** Runs programs that are laid out, under the limits of their command, and tells how they ended. */
export async function runPrograms(
  programs: readonly Program[],
  command: SandboxCommand,
  limits: SandboxLimits,
  launcher: Launcher,
): Promise<SandboxResult> {
  const [first, peer] = programs as readonly [Program, Program?]
  const startedAt = performance.now()
  const { timeoutMs, signal, maxOutputBytes: maxBytes = defaultMaxOutputBytes } = command
  const floodBytes = Math.min(maxBytes * floodFactor, limits.fileBytes)
  const isFlooded = ({ stdout, stderr }: Program) => Math.max(stdout.size(), stderr.size()) >= floodBytes
  const look = (program: Program) => {
    if (isFlooded(program)) return 'end'
    const shared = measureProgramMemory(program, limits.memoryBytes)
    if (shared > limits.memoryBytes) {
      program.exceedsSharedMemory = true
      killProgram(program) // alone: a peer tells how the other ended
    }
    return nextCheckMs(shared, limits.memoryBytes, maxCheckIntervalMs)
  }
  const start = () => startAll(first, peer, command)
  const { timedOut } = await supervise(programs, start, { timeoutMs, look, signal })
  for (const { stdout, stderr } of programs) {
    stdout.finish()
    stderr.finish()
  }
  assertDiskSpace(programs.map(({ folder }) => folder.base))

  const endingOf = (program: Program) => {
    const end = readProgramEnd(program, maxBytes)
    const flooded = isFlooded(program)
    // Whether our look at the file or the kernel's limit on files came first is chance.
    const told =
      flooded || program.exceedsSharedMemory ? { ...end, exitCode: null, killedBy: 'SIGKILL' } : end
    const isLate = timedOut && program === first
    return {
      ...told,
      ...findExceededLimit({
        ...told,
        timedOut: isLate,
        flooded,
        exceedsSharedMemory: program.exceedsSharedMemory,
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
  const input = command.stdin === undefined && !peer ? 'ignore' : 'pipe'
  const { stdin, stdout } = startProgram(first, { stdin: input, stdout: peer ? 'pipe' : 'file' })
  stdin?.on('error', () => {}) // it ended without reading its input
  if (!peer || !stdin || !stdout) {
    stdin?.end(command.stdin)
    return
  }
  // In the same turn of the event loop, before anything could be read here; then the pipes are theirs alone.
  try {
    startProgram(peer, { stdin: stdout, stdout: stdin })
  } finally {
    stdin.destroy()
    stdout.destroy()
  }
}
