import { decodeExit } from '../../../sandbox/process/ending.ts'
import type { CliOutput } from '../reading.ts'

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

/** Notes that programs print at every start or about their options. */
const notes =
  /^(?:warn(?:ing)?\b|note:|info\b|-|reading (?:additional input|prompt) from stdin|ripgrep is not available|yolo mode)/i

function linesOf(stderr: string): string[] {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
  return stderr
    .replace(escapes, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !notes.test(line) && !isStack(line))
}

const isStack = (line: string) => /^(?:at .*[:(]|[\]})]+[,;]?$)/.test(line)
const isError = (line: string) => /^\W*(?:\w*error|fatal|panic|unknown|unexpected|invalid)\b/i.test(line)
const isLikeError = (line: string) =>
  /error|fail|not found|invalid|unknown|cannot|unexpected|denied/i.test(line)
