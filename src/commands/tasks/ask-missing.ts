import { createInterface } from 'node:readline'
import { problemAt, UserError } from '../../text/errors.ts'

interface Wanted {
  /** The flag, without its dashes. */
  name: string
  /** The question at a terminal. */
  question: string
  /** What an empty line means; undefined: it is asked again. */
  usual?: string
  /** Returns what is wrong with a value, given those before it; undefined if nothing is. */
  problem?(value: string, before: Readonly<Partial<Record<string, string>>>): string | undefined
}

/**
 * Returns the wanted fields: as given, else as a person types them at a terminal; undefined if the person ends the questions with Ctrl-C
 * or Ctrl-D. Without a terminal throws `UserError` with all that are missing and all that are wrong.
 */
export async function askMissing<Name extends string>(
  command: string,
  given: Readonly<Partial<Record<Name, string>>>,
  wanted: readonly (Wanted & { name: Name })[],
): Promise<Record<Name, string> | undefined> {
  const wrong = wanted.flatMap(({ name, problem }) => {
    const what = given[name] === undefined ? undefined : problem?.(given[name], given)
    return what === undefined
      ? []
      : [{ where: `--${name} ${given[name]}`, what, fix: `Correct it, or see ${command} --help.` }]
  })
  const missing = wanted.filter(({ name }) => given[name] === undefined)
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
  const needed = missing.filter(({ usual }) => usual === undefined)
  if (wrong.length > 0 || (needed.length > 0 && !isTerminal))
    throw new UserError([
      ...wrong,
      ...(isTerminal ? [] : needed).map(({ name, question }) =>
        problemAt(`--${name}`, 'is missing', `Write --${name} with: ${question}`),
      ),
    ])
  const values: Partial<Record<Name, string>> = { ...given }
  if (needed.length === 0) for (const { name, usual } of missing) values[name] = usual as string
  else if (!(await askPerson(missing, values))) return undefined
  return values as Record<Name, string>
}

/** Fills in what a person types. Returns whether all was answered. */
async function askPerson<Name extends string>(
  missing: readonly (Wanted & { name: Name })[],
  values: Partial<Record<Name, string>>,
): Promise<boolean> {
  // The terminal itself edits the line and turns Ctrl-C into a signal.
  const terminal = createInterface({ input: process.stdin, terminal: false })
  const lines = terminal[Symbol.asyncIterator]()
  const stop = () => terminal.close()
  process.once('SIGINT', stop)
  try {
    for (const wanted of missing) {
      const value = await askOne(wanted, lines, values)
      if (value === undefined) return false
      values[wanted.name] = value
    }
    return true
  } finally {
    process.off('SIGINT', stop)
    terminal.close()
  }
}

async function askOne(
  { question, usual, problem }: Wanted,
  lines: AsyncIterator<string>,
  before: Readonly<Partial<Record<string, string>>>,
): Promise<string | undefined> {
  const hint = usual === undefined || usual === '' ? '' : ` [${usual}]`
  for (;;) {
    process.stderr.write(`${question}${hint}: `)
    const { done, value: line } = await lines.next()
    if (done) {
      process.stderr.write('\n')
      return undefined
    }
    const value = line.trim() === '' ? usual : line.trim()
    const what = value === undefined ? 'is needed' : problem?.(value, before)
    if (value !== undefined && what === undefined) return value
    process.stderr.write(`  This ${what}.\n`)
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `work`, whose signal Ctrl-C aborts. Returns its exit code; 130 if it was stopped, with a line that nothing was written. Only
 * for work that undoes what it has written when it throws.
 */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  for (const signal of signals) process.on(signal, stop)
  try {
    return await work(abort.signal)
  } catch (error) {
    if (!abort.signal.aborted) throw error
    return saidNothingWritten()
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

/** Says that the person has stopped the command, and returns its exit code. */
export function saidNothingWritten(): number {
  process.stderr.write('stopped: nothing was written\n')
  return 130
}
