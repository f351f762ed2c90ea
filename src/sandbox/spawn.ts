import { InfrastructureError } from '../errors.ts'
import { limitThatEnded } from './ending.ts'
import type { Launcher } from './launcher.ts'
import { defaultLimits, type SandboxLimits } from './limits.ts'
import { floodFactor } from './output.ts'
import {
  cannotStart,
  endOf,
  killProgram,
  type Program,
  prepareProgram,
  programIsGone,
  releaseProgram,
  startProgram,
} from './program.ts'
import type { SandboxCommand, SandboxResult, SandboxRun } from './sandbox.ts'
import { unsandboxed } from './unsandboxed.ts'

const defaultMaxOutputBytes = 1024 * 1024

/** How long to wait for exits once everything has been killed; ms. */
const patience = 1000

/** How often the size of the output is looked at; ms. The kernel's limit on files holds in between. */
const outputCheckMs = 100

/** Runs a command in a private folder with a fixed environment, without a sandbox around it. */
export const spawnUnsandboxed: SandboxRun = sandboxRun(unsandboxed)

/**
 * The door to programs behind one launcher. Rejects with the signal's reason when aborted, with `InfrastructureError`
 * when a program cannot be started; in all cases only after its process tree has ended and its folder is gone.
 */
export function sandboxRun(launcher: Launcher): SandboxRun {
  return async (command) => {
    command.signal?.throwIfAborted()
    if (command.peer && command.stdin !== undefined)
      throw new InfrastructureError('a command with a peer reads from it, and from nothing else')
    const limits = { ...defaultLimits, ...command.limits }
    const programs: Program[] = []
    try {
      programs.push(prepareProgram(launcher, command, limits))
      if (command.peer) programs.push(prepareProgram(launcher, command.peer, limits))
      return await runAll(programs, command, limits, launcher)
    } finally {
      await Promise.all(programs.map(releaseProgram))
    }
  }
}

function runAll(
  programs: readonly Program[],
  command: SandboxCommand,
  limits: SandboxLimits,
  launcher: Launcher,
): Promise<SandboxResult> {
  const [first, peer] = programs as readonly [Program, Program?]
  const startedAt = performance.now()
  const maxBytes = command.maxOutputBytes ?? defaultMaxOutputBytes
  const floodBytes = Math.min(maxBytes * floodFactor, limits.fileBytes)
  const files = programs.flatMap(({ stdout, stderr }) => [stdout, stderr])
  const flooded = () => files.some((file) => file.size() >= floodBytes)

  return new Promise((resolve, reject) => {
    let timedOut = false
    let settling = false
    // At once and not politely first: what it works on is a private copy, so there is nothing to save.
    const stop = () => {
      for (const program of programs) killProgram(program)
      patienceTimer ??= setTimeout(() => afterPendingEvents(settle), patience)
    }
    let patienceTimer: NodeJS.Timeout | undefined
    const timer = setTimeout(
      () =>
        afterPendingEvents(() => {
          if (first.ended) return
          timedOut = true
          stop()
        }),
      Math.min(command.timeoutMs, 2 ** 31 - 1),
    )
    const watch = setInterval(() => flooded() && stop(), outputCheckMs)
    command.signal?.addEventListener('abort', stop, { once: true })

    const release = () => {
      clearTimeout(timer)
      clearTimeout(patienceTimer)
      clearInterval(watch)
      command.signal?.removeEventListener('abort', stop)
    }
    const fail = async (error: unknown) => {
      settling = true
      release()
      for (const program of programs) killProgram(program)
      await allGone()
      reject(error)
    }
    const allGone = () => Promise.all(programs.map((program) => programIsGone(program, patience)))
    const settle = async () => {
      if (settling) return
      settling = true
      release()
      await allGone()
      if (command.signal?.aborted) return reject(command.signal.reason)
      try {
        resolve(result())
      } catch (error) {
        reject(error)
      }
    }
    const result = (): SandboxResult => {
      const end = endOf(first, maxBytes)
      const ending = {
        ...end,
        timedOut,
        flooded: flooded(),
        timeoutMs: command.timeoutMs,
        floodBytes,
        limits,
      }
      // Whether our look at the file or the kernel's limit on files came first is chance.
      const told = ending.flooded ? { ...end, exitCode: null, killedBy: 'SIGKILL' } : end
      const { stdout: _, ...peerEnd } = peer ? endOf(peer, maxBytes) : { stdout: '' }
      return {
        ...told,
        timedOut,
        truncated: files.some((file) => file.size() > maxBytes),
        ...limitThatEnded(ending),
        ...('stderr' in peerEnd && { peer: peerEnd }),
        level: launcher.level,
        durationMs: performance.now() - startedAt,
      }
    }
    const onExit = (program: Program) => (code: number | null, signal: string | null) => {
      program.ended = { code, signal }
      // Also after a normal exit nothing of it lives on; the peer of one that has ended has nothing left to do.
      if (program === first) stop()
      else killProgram(program)
      if (programs.every(({ ended }) => ended)) settle()
    }
    try {
      start(first, peer, command)
    } catch (error) {
      return fail(error)
    }
    for (const program of programs) {
      program.child?.on('error', (error) => fail(cannotStart(program.name, error)))
      program.child?.on('exit', onExit(program))
    }
  })
}

function start(first: Program, peer: Program | undefined, command: SandboxCommand): void {
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

/** Lets what has already happened be told first: a busy event loop runs late timers before it reads exits. */
function afterPendingEvents(work: () => void): void {
  setImmediate(() => setImmediate(work))
}
