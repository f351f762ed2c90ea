import { join } from 'node:path'
import { execa, type Result } from 'execa'
import { packageRoot } from '../../base/package-root.ts'

/** The most characters of an answer: a client puts it into the context of a model. */
const longest = 60_000
/** Processes that work at once: each takes about 80 MB. */
const atOnce = 2
const timeoutMs = 120_000

/** What a command printed. */
export interface Printed {
  text: string
  isError: boolean
}

/** The arguments of node that start this bench. */
export const benchProgram = (): string => join(packageRoot(), 'dist/bench/cli.cjs')

/**
 * Executes a command of bench in a process of its own and returns what it printed; of a command that failed, what it said on stderr.
 * So an answer of the server is that of the command line, and what a command needs of memory is free again when it has ended.
 */
export async function callBench(args: readonly string[], signal?: AbortSignal): Promise<Printed> {
  const release = await takeSlot()
  try {
    const ended = await execa(process.execPath, [benchProgram(), ...args], {
      reject: false,
      stdin: 'ignore',
      timeout: timeoutMs,
      maxBuffer: 64_000_000,
      env: { NO_COLOR: '1', COLUMNS: '120' },
      ...(signal && { cancelSignal: signal }),
    })
    if (ended.timedOut)
      return { text: `bench ${args[0]} took longer than ${timeoutMs / 1000} s`, isError: true }
    const { stdout, stderr } = printedBy(ended)
    // A code other than 0 with a result is an answer too, as of a comparison that found a difference.
    const isError = ended.exitCode !== 0 && stdout.trim() === ''
    return { text: isError ? stderr : stdout, isError }
  } finally {
    release()
  }
}

/** Returns what a process printed; of one that could not start, as with arguments that are too long, the reason. */
export const printedBy = ({
  stdout,
  stderr,
  originalMessage = '',
}: Result): { stdout: string; stderr: string } =>
  stdout === undefined
    ? { stdout: '', stderr: `bench could not be started: ${originalMessage.slice(0, 200)}` }
    : { stdout: String(stdout), stderr: String(stderr) }

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
