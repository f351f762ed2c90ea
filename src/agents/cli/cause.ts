import { decodeExit } from '../../sandbox/process/ending.ts'
import type { AgentErrorReason } from '../../text/errors.ts'
import { reasonAt, reasonOfRefusal } from '../failures/refusal-reason.ts'
import type { CliOutput } from './kind.ts'

/**
 * Returns why a CLI failed: by its HTTP status if it reports one, else by a status in its message, else by the words of the
 * message; `exit` if none of these says more.
 */
export function causeOf(message: string, status: number | null = null): AgentErrorReason {
  const first = reasonAt('plainProgram', message)
  if (first) return first
  const named = status ?? statusIn(message)
  if (named !== null && named >= 400 && named < 600) return reasonOfRefusal(named, message)
  return reasonAt('program', message) ?? 'exit'
}

function statusIn(message: string): number | null {
  const found = /(?:status|error|code|\()\W{0,4}([45]\d\d)\b/i.exec(message)
  return found ? Number(found[1]) : null
}

/**
 * Returns the message of a program that failed without one in its output: the line of stderr that tells most, and the signal that ended
 * it. `missing` is what its output lacks.
 */
export function endMessage(output: Omit<CliOutput, 'stdout'>, missing: string): string {
  const { exitCode, killedBy } = endOf(output)
  const lines = linesOf(output.stderr)
  const line = lines.findLast(isError) ?? lines.findLast(isLikeError)
  if (killedBy !== undefined) return `ended by ${killedBy}${line === undefined ? '' : `: ${line}`}`
  // A program that ended well has printed nothing but notes.
  const last = exitCode === 0 ? undefined : lines.at(-1)
  return line ?? last ?? `ended with exit code ${exitCode} and ${missing}`
}

function endOf({ exitCode, killedBy }: Omit<CliOutput, 'stdout'>): {
  exitCode: number | null
  killedBy: string | undefined
} {
  const decoded = decodeExit(exitCode, killedBy ?? null)
  const isKilled = decoded.exitCode === null
  return {
    exitCode: decoded.exitCode,
    killedBy: isKilled ? (decoded.killedBy ?? 'a signal') : undefined,
  }
}

/** Returns a text in one line, without codes of a terminal and other control characters. */
export const oneLine = (text: string): string =>
  text
    .replace(escapes, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()

/** Returns the line that tells most of what a program printed in place of messages: its error, else the first that is no list or title of help. */
export function tellingLine(printed: readonly string[]): string | undefined {
  const lines = linesOf(printed.join('\n'))
  return lines.findLast(isError) ?? lines[0] ?? printed[0]
}

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')

/** A title of a part of help, such as `Options:`. */
const title = /^\p{L}[\p{L} ]*:$/u

const notes =
  /^(?:warn(?:ing)?\b|note:|info\b|reading (?:additional input|prompt) from stdin|ripgrep is not available|yolo mode)/i

/** A line of help, or of a list: an option with what it takes or does beside it. A message may begin with the name of an option, too. */
const help = /^-(?:[-\s]*$|\s|-?[\w-]+(?:,|\s{2,}|[ =][<[]|$))/

function linesOf(stderr: string): string[] {
  return stderr
    .replace(escapes, '')
    .split('\n')
    .map((line) => oneLine(line))
    .filter(
      (line) => line !== '' && !notes.test(line) && !help.test(line) && !title.test(line) && !isStack(line),
    )
}

const isStack = (line: string) => /^(?:at .*[:(]|[\]})]+[,;]?$)/.test(line)
const isError = (line: string) => /^\W*(?:\w*error|fatal|panic|unknown|unexpected|invalid)\b/i.test(line)
const isLikeError = (line: string) =>
  /error|fail|not found|invalid|unknown|cannot|unexpected|denied/i.test(line)
