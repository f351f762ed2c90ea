import { randomUUID } from 'node:crypto'
import { startProcess } from '../../sandbox/machine/start-process.ts'
import { endProcessTree, markerVariable } from '../../sandbox/process/process-tree.ts'
import { asError } from '../../text/errors.ts'

/** How long output is read after the command's end, should something keep it open; ms. */
const lastOutputMs = 1000

const mostErrorText = 4000

/**
 * Runs a command without a shell, with `input` on its stdin, for at most `timeoutMs`. Afterwards none of its processes runs.
 * Returns what went wrong; undefined if it ended with exit code 0.
 */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  input: string,
  { env, timeoutMs, signal }: { env: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  const marker = `bench-notify-${randomUUID()}`
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const child = startProcess(program, args, {
      // A group of its own, so that the whole of it can be ended.
      detached: true,
      env: { ...env, [markerVariable]: marker },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let late: NodeJS.Timeout | undefined
    let cutOff: string | undefined
    let errors = ''
    const endTree = () => {
      if (child.pid !== undefined) endProcessTree({ leader: child.pid, startedAt, marker })
    }
    const cut = (why: string) => {
      cutOff ??= why
      endTree()
    }
    const onAbort = () => cut('was ended, because you stopped bench')
    const timer = setTimeout(() => cut(`was ended after ${timeoutMs / 1000} s`), timeoutMs)
    const finish = (problem: string | undefined) => {
      clearTimeout(timer)
      clearTimeout(late)
      signal.removeEventListener('abort', onAbort)
      process.off('exit', endTree)
      child.stderr?.destroy()
      resolve(problem)
    }
    signal.addEventListener('abort', onAbort)
    // A second Ctrl-C ends bench at once.
    process.on('exit', endTree)
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk).slice(-mostErrorText)
    })
    child.stdin?.on('error', () => {}) // it ended without reading its input
    child.stdin?.end(input)
    child.on('error', (error) => finish(`cannot be started (${(error as NodeJS.ErrnoException).code})`))
    const onEnd = (code: number | null, signal: string | null) =>
      finish(cutOff ?? endingText(code, signal, errors))
    child.on('exit', (code, signal) => {
      endTree()
      late = setTimeout(() => onEnd(code, signal), lastOutputMs)
    })
    child.on('close', onEnd)
  }).catch((error: unknown) => `cannot be started (${asError(error).message})`) as Promise<string | undefined>
}

function endingText(code: number | null, signal: string | null, errors: string): string | undefined {
  if (code === 0) return undefined
  const lastLine = errors.trim().split('\n').at(-1)
  return `ended with ${signal ?? `exit code ${code}`}${lastLine ? `: ${lastLine}` : ''}`
}
