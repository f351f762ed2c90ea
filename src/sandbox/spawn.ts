import { type ChildProcess, spawn } from 'node:child_process'
import { InfrastructureError } from '../errors.ts'
import { collectOutput } from './output.ts'
import { createPrivateFolder, type PrivateFolder, withFixedPath } from './private-folder.ts'
import { endProcessTree, haveEnded, markerVariable } from './process-tree.ts'
import type { SandboxCommand, SandboxResult, SandboxRun } from './sandbox.ts'
import { remedyFor } from './tools.ts'

const defaultMaxOutputBytes = 1024 * 1024

/** How long to wait for pipes and the exit once everything has been killed; ms. */
const patience = 1000

/**
 * Runs a command in a private folder with a fixed environment, without a sandbox around it. Rejects with the signal's
 * reason when aborted, with `InfrastructureError` when the program cannot be started; in all cases only after its
 * process tree has ended and its folder is gone.
 */
export const spawnUnsandboxed: SandboxRun = async (command) => {
  command.signal?.throwIfAborted()
  const folder = createPrivateFolder(command.files)
  try {
    return await runIn(folder, command)
  } finally {
    await folder.remove()
  }
}

function runIn(folder: PrivateFolder, command: SandboxCommand): Promise<SandboxResult> {
  const startedAt = performance.now()
  const child = start(folder, command)
  return new Promise((resolve, reject) => {
    let timedOut = false
    let ended: { code: number | null; signal: string | null } | undefined
    let patienceTimer: NodeJS.Timeout | undefined
    const killed = new Set<number>()

    const stop = () => {
      if (child.pid !== undefined) {
        for (const pid of endProcessTree({ leader: child.pid, marker: folder.base })) killed.add(pid)
      }
      // Whatever keeps a pipe open after this cannot be reached: do not wait for it.
      patienceTimer ??= setTimeout(() => afterPendingEvents(settle), patience)
    }
    const maxBytes = command.maxOutputBytes ?? defaultMaxOutputBytes
    const stdout = child.stdout && collectOutput(child.stdout, maxBytes, stop)
    const stderr = child.stderr && collectOutput(child.stderr, maxBytes, stop)
    const timer = setTimeout(
      () =>
        afterPendingEvents(() => {
          if (ended) return
          timedOut = true
          stop()
        }),
      Math.min(command.timeoutMs, 2 ** 31 - 1),
    )
    command.signal?.addEventListener('abort', stop, { once: true })

    const release = () => {
      clearTimeout(timer)
      clearTimeout(patienceTimer)
      command.signal?.removeEventListener('abort', stop)
      child.stdout?.destroy()
      child.stderr?.destroy()
    }
    const settle = async () => {
      release()
      await haveEnded(killed, patience)
      if (command.signal?.aborted) return reject(command.signal.reason)
      resolve({
        exitCode: ended?.code ?? null,
        killedBy: ended ? ended.signal : 'SIGKILL',
        stdout: withFixedPath(stdout?.text() ?? '', folder),
        stderr: withFixedPath(stderr?.text() ?? '', folder),
        timedOut,
        truncated: Boolean(stdout?.truncated() || stderr?.truncated()),
        durationMs: performance.now() - startedAt,
      })
    }

    child.on('error', (error) => {
      release()
      reject(cannotStart(command, error))
    })
    child.on('exit', (code, signal) => {
      ended = { code, signal }
      stop() // also after a normal exit nothing of it lives on
    })
    child.on('close', settle)
  })
}

/** Lets what has already happened be told first: a busy event loop runs late timers before it reads pipes and exits. */
function afterPendingEvents(work: () => void): void {
  setImmediate(() => setImmediate(work))
}

function start(folder: PrivateFolder, command: SandboxCommand): ChildProcess {
  const [program, ...args] = command.command
  try {
    const child = spawn(program as string, args, {
      cwd: folder.workspace,
      env: environment(folder, command),
      detached: true, // a group of its own, so that one kill reaches all of it
      stdio: [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.on('error', () => {}) // it ended without reading its input
    child.stdin?.end(command.stdin)
    return child
  } catch (error) {
    throw cannotStart(command, error as Error)
  }
}

function environment(folder: PrivateFolder, command: SandboxCommand): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    // Windows programs do not start without it.
    ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}),
    HOME: folder.base,
    TMPDIR: folder.base,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    PYTHONHASHSEED: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    ...command.env,
    [markerVariable]: folder.base,
  }
}

function cannotStart(command: SandboxCommand, error: Error): InfrastructureError {
  const program = command.command[0] ?? ''
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  const message = missing
    ? `the program ${program} was not found. ${remedyFor(program)}`
    : `the program ${program} cannot be started: ${error.message}`
  return new InfrastructureError(message, { cause: error })
}
