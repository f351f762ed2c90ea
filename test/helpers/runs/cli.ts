import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, inject, onTestFinished } from 'vitest'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { AskStep, LedgerLine, Step } from '../../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { tempFolder } from '../machine/temp.ts'
import { callWarmBench, isWarmBenchFree } from './warm-bench.ts'

/** The checkout. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** The built command line. */
export const program = join(root, 'dist/bench/cli.cjs')

/** A process of the command line that has ended. */
export interface Ended {
  /** Undefined when a signal ended it. */
  code: number | undefined
  signal: string | undefined
  stdout: string
  stderr: string
}

/** A process of the command line that may still run. */
export interface Running {
  pid: number
  /** Whether it has ended. */
  isOver(): boolean
  ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
  /** Resolves when its stderr matches, or when it has ended. */
  says(pattern: RegExp): Promise<void>
}

export interface Setting {
  /** An empty folder by default. */
  cwd?: string | undefined
  env?: Record<string, string | undefined>
  /** Whether the call says `--trust-code` for the documents and config files that a test wrote; default true. */
  trustsFiles?: boolean
}

/** Adds `--trust-code` to a new run, since its files are the test's own. */
function trusting(args: readonly string[], { trustsFiles = true }: Setting): readonly string[] {
  const isNewRun = ['run', 'step', 'stage', 'doctor'].includes(args[0] ?? '') || args[0]?.startsWith('--')
  const isWhole = ['--help', '-h', '--version', '--resume', '--trust-code'].every(
    (word) => !args.includes(word),
  )
  if (!trustsFiles || !isNewRun || !isWhole) return args
  // Not at the end, where it could be taken for a value.
  const [first = '', ...others] = args
  return first.startsWith('--') ? ['--trust-code', ...args] : [first, '--trust-code', ...others]
}

/** Starts the built command line. What does not end by itself is ended with its test. */
export function startBench(args: readonly string[], setting: Setting = {}): Running {
  const { cwd = tempFolder(), env = {} } = setting
  const child = execa(process.execPath, [program, ...trusting(args, setting)], {
    cwd,
    env: {
      ORCHESTRATION_BENCH_CACHE: inject('cache'),
      BENCH_DEBUG: undefined,
      FORCE_COLOR: undefined,
      ...env,
    },
    stdin: 'ignore',
    reject: false,
    maxBuffer: 100_000_000,
  })
  // What a failed test leaves running must not disturb the next one.
  onTestFinished(() => void child.kill('SIGKILL'))
  let over = false
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk
  })
  const ended = child.then(({ exitCode, signal, stdout, stderr }): Ended => {
    over = true
    return { code: exitCode, signal, stdout, stderr }
  })
  return {
    pid: child.pid ?? 0,
    isOver: () => over,
    ended,
    kill: (signal) => void child.kill(signal),
    says: async (pattern) => {
      while (!over && !pattern.test(printed)) await soon()
    },
  }
}

let isFileShared = false

/** Lets the calls of a file of tests share a process also in a mode that starts one for each, since they are many and only read. */
export const shareProcess = () => {
  isFileShared = true
}

/**
 * Whether a call may share its process with others: it has no secrets of its own, and names no module or program, which a process
 * keeps once it has loaded or found it.
 */
const isShared = (args: readonly string[], { env = {} }: Setting): boolean =>
  (inject('mayShare') || isFileShared) &&
  Object.keys(env).every((name) => /_BASE_URL$|^WORKER_/.test(name)) &&
  !args.includes('--call') &&
  !args.some((word) => /\.[cm]?[jt]s\b/.test(word))

/** Calls the built command line and waits for its end: in a process of its own, if it needs one. */
export async function bench(args: readonly string[], setting: Setting = {}): Promise<Ended> {
  if (!isShared(args, setting) || !isWarmBenchFree()) return startBench(args, setting).ended
  const { code, stdout, stderr } = await callWarmBench(
    trusting(args, setting),
    setting.cwd ?? tempFolder(),
    setting.env,
  )
  return { code, signal: undefined, stdout: stdout.replace(/\n$/, ''), stderr: stderr.replace(/\n$/, '') }
}

/** The same for a call that must succeed; gives its stdout. */
export async function benchOk(args: readonly string[], setting?: Setting): Promise<string> {
  const ended = await bench(args, setting)
  expect(ended, args.join(' ')).toMatchObject({ code: 0 })
  return ended.stdout
}

/** Checks that bench reports a user's mistake: exit code 2, these texts on stderr, nothing on stdout, and no stack. */
export async function refused(
  args: readonly string[],
  texts: readonly (string | RegExp)[],
  setting?: Setting,
): Promise<Ended> {
  const ended = await bench(args, setting)
  expect(ended, args.join(' ')).toMatchObject({ code: 2, stdout: '' })
  for (const text of texts) expect(ended.stderr).toMatch(text)
  expect(ended.stderr).not.toMatch(/^\s+at |\.[jt]s:\d+|Internal error|ZodError|TypeError/m)
  return ended
}

/** Waits a moment, so that other processes can run. */
export const soon = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms))

/** Polls until the condition holds; otherwise the test ends by its timeout. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await soon()
}

/** The whole lines of a file; a torn last one is left out. */
export function wholeLines(path: string): string[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

/** The lines of records.jsonl as they are, but for the last key `wall`. */
export function recordLines(folder: string): string[] {
  return wholeLines(join(folder, 'records.jsonl')).map((line) => {
    const match = /^(.*),"wall":\{[^{}]*\}\}$/.exec(line)
    expect(match, `wall is the last key of ${line.slice(0, 80)}…`).not.toBeNull()
    return `${match?.[1]}}`
  })
}

const parsed = <Line>(folder: string, file: string) =>
  wholeLines(join(folder, file)).map((line) => JSON.parse(line) as Line)

export const recordsOf = (folder: string) => parsed<TrialRecord>(folder, 'records.jsonl')
const ledgerOf = (folder: string) => parsed<LedgerLine>(folder, 'steps.jsonl')
export const stepsOf = (folder: string) =>
  ledgerOf(folder).flatMap((line): Step[] => (line.kind === 'intent' ? [] : [line]))
export const asksOf = (folder: string): AskStep[] =>
  stepsOf(folder).filter((step): step is AskStep => step.kind === 'ask')
export const intentsOf = (folder: string) =>
  ledgerOf(folder).flatMap((line) => (line.kind === 'intent' ? [line] : []))

export const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunManifest

/** Returns a changed line of a record with its new checksum. */
export const withNewChecksum = (line: string): string =>
  addTimesum(line.replace(/,"sum":"\w+"\}\}$/, '}}'), '}}')
