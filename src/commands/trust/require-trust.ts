import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { confirm } from '../terminal/confirm.ts'
import { type ForeignFile, isShipped, trustKey } from './foreign-file.ts'
import { isOwnFile, ownCacheFile, writeOwnFile } from './own-cache.ts'
import { isAsked, powerLines } from './powers.ts'

/** What was allowed in this process: a command checks a run more than once, and an answer may have no place where it is remembered. */
const allowed = new Set<string>()

/** Returns the files that take something the user has not allowed. */
export const untrusted = (files: readonly ForeignFile[]): ForeignFile[] =>
  files.filter((file) => {
    if (!file.powers.some(isAsked) || isShipped(file)) return false
    const key = trustKey(file)
    return !allowed.has(key) && !isRemembered(key)
  })

interface Asking {
  /** `--trust-code` was given. */
  trusted: boolean
  signal: AbortSignal
  /** What is said of the files. */
  about?: string
  /** Whether a person at the terminal is asked; default true. */
  asks?: boolean
}

/**
 * Checks that the user allows what files take. They were allowed before, with the same content, or are shipped, or are allowed now:
 * with `--trust-code`, which counts for this call, or at the terminal, which is remembered. Else throws `UserError`.
 */
export async function requireTrust(
  files: readonly ForeignFile[],
  { trusted, signal, about, asks = true }: Asking,
): Promise<void> {
  if (trusted) return
  const asked = untrusted(files)
  if (asked.length === 0) return
  const keys = asked.map((file) => ({ file, key: trustKey(file) }))
  const problems = asked.map((file): Problem => trustProblem(file, about))
  if (!asks || !process.stdin.isTTY || !process.stderr.isTTY) throw new UserError(problems)
  process.stderr.write(`${problems.map(({ where, what }) => `${where} ${what}`).join('\n')}\n`)
  const subject = asked.length === 1 ? 'this file' : `these ${counted(asked.length, 'file')}`
  if (!(await confirm(`Allow that to ${subject}?`, signal))) throw new UserError(problems)
  for (const { file, key } of keys) {
    if (trustKey(file) !== key) throw new UserError(changedProblem(file))
    allowed.add(key)
    remember(key, `${file.name}\n${powerLines(file.powers.filter(isAsked)).join('\n')}\n`)
  }
}

const changedProblem = ({ name }: ForeignFile): Problem => ({
  where: safeLine(name),
  what: 'or a file that it names has changed while you were asked',
  fix: 'Run the command again when nothing writes to it.',
})

const trustProblem = ({ name, powers }: ForeignFile, about = 'takes what needs your word'): Problem => ({
  where: safeLine(name),
  what: [`${about}:`, ...powerLines(powers.filter(isAsked))].join('\n'),
  fix: 'Read it and the files that it names, then add --trust-code, or run the command at a terminal and answer.',
})

/** Whether the user allowed a digest before. The answer is a file in the user's own folder, which nobody else may write. */
export function isRemembered(key: string): boolean {
  const file = ownCacheFile(key)
  return file !== undefined && isOwnFile(file)
}

/** Remembers that the user allowed a digest; `lines` say what was allowed, for a person who looks. Does nothing without a folder for it. */
export function remember(key: string, lines: string): void {
  const file = ownCacheFile(key)
  if (file !== undefined) writeOwnFile(file, lines)
}
