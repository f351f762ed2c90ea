import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { startProcess } from '../../sandbox/machine/start-process.ts'

/** The most characters of an answer: a client puts it into the context of a model. */
const longest = 60_000
/** Processes that work at once: each takes about 80 MB. */
const atOnce = 2
const timeoutMs = 120_000
/** Most characters that are kept of what a command prints. */
const mostKept = 64_000_000

/** What a command printed. */
export interface Printed {
  text: string
  isError: boolean
}

/** A bench of its own. It hears signals as at a terminal. */
export interface BenchProcess {
  /** What it printed. `code` is null if a signal ended it, or if it could not start; `stderr` then says why. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
  kill(signal: 'SIGINT' | 'SIGKILL'): void
}

/** Starts a bench. `detached`: signals to the group of this process do not reach it. */
export function startBench(args: readonly string[], { detached = false } = {}): BenchProcess {
  const child = ((): ChildProcess | Error => {
    try {
      return startProcess(process.execPath, [join(packageRoot(), 'dist/bench/cli.cjs'), ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NO_COLOR: '1', COLUMNS: '120' },
        detached,
      })
    } catch (error) {
      // As with arguments that are too long.
      return error as Error
    }
  })()
  if (child instanceof Error) return { ended: Promise.resolve(unstarted(child)), kill: () => {} }
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (more: string) => {
      if (text[name].length < mostKept) text[name] += more
    })
  const ended = new Promise<Awaited<BenchProcess['ended']>>((resolve) => {
    child.once('error', (error) => resolve(unstarted(error)))
    child.once('close', (code) => resolve({ code, ...text }))
  })
  return { ended, kill: (signal) => void child.kill(signal) }
}

const unstarted = ({ message }: Error) => ({
  ...{ code: null, stdout: '' },
  stderr: `bench could not be started: ${message.slice(0, 200)}`,
})

/**
 * Executes a command of bench in a process of its own and returns what it printed; of a command that failed, what it said on stderr.
 * So an answer of the server is that of the command line, and what a command needs of memory is free again when it has ended.
 */
export async function callBench(args: readonly string[], signal?: AbortSignal): Promise<Printed> {
  const release = await takeSlot()
  const bench = startBench(args)
  let isLate = false
  const end = () => bench.kill('SIGKILL')
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, timeoutMs)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const { code, stdout, stderr } = await bench.ended
    if (isLate) return { text: `bench ${args[0]} took longer than ${timeoutMs / 1000} s`, isError: true }
    // A code other than 0 with a result is an answer too, as of a comparison that found a difference.
    const isError = code !== 0 && stdout.trim() === ''
    return { text: isError ? stderr : stdout, isError }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    release()
  }
}

/** Cuts a text to what a client can take, and says so. */
export function cut(text: string): string {
  if (text.length <= longest) return text
  const left = text.length - longest
  return `${text.slice(0, longest)}\n[${left.toLocaleString('en')} more characters: ask for a section, a filter or a page]`
}

let working = 0
const waiting: (() => void)[] = []

async function takeSlot(): Promise<() => void> {
  if (working >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else working++
  return () => {
    const next = waiting.shift()
    if (next) next()
    else working--
  }
}
