import { splitCommand } from '../../base/command-words.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import type { Recognised } from './recognise-runner.ts'

/** A command that runs tests, and what it needs. */
export interface TestCommand {
  /** Program and arguments. What needs a shell is given to `sh -c`. */
  command: string[]
  /** Programs and Python packages. */
  requires: string[]
}

/**
 * Parses `--tests`. It asks pytest and unittest to name each test, since a task names those that must pass. `runner`: how bench runs it,
 * if it is not as it is.
 */
export function parseTestCommand(text: string, runner?: Recognised): TestCommand {
  const trimmed = text.trim()
  if (trimmed === '')
    throw new UserError({ where: '--tests', what: 'is empty', fix: "Write for example --tests 'npm test'." })
  if (runner && runner.runner !== 'command') return { command: [], requires: ['node'] }
  if (runner?.command)
    return {
      command: runner.command,
      requires: requiredBy(runner.command.filter((word) => !/^env$|=/.test(word)).join(' ')),
    }
  const named = withNames(trimmed)
  const needsShell = /[&|;<>$`(){}*?~\n]|^\s*\w+=/.test(named)
  const split = needsShell ? { words: ['sh', '-c', named] } : splitCommand(named)
  if ('problem' in split)
    throw new UserError(problemAt(`--tests ${trimmed}`, split.problem, 'Write it as in a shell.'))
  return { command: split.words, requires: requiredBy(trimmed) }
}

function withNames(text: string): string {
  if (/\bpytest\b/.test(text) && !/\s-(?:v+|r\w+)\b/.test(text)) return `${text} -rA`
  if (/-m unittest\b/.test(text) && !/\s(?:-v|--verbose)\b/.test(text)) return `${text} -v`
  return text
}

function requiredBy(text: string): string[] {
  const has = (pattern: RegExp) => pattern.test(text)
  const programs = [...new Set(text.split(/[&|;]+/).flatMap((part) => part.trim().split(/\s+/)[0] ?? []))]
  const known = new Set(['sh', 'env', 'cd', 'test', 'echo', 'true', 'false', 'exit'])
  const own = programs.filter(
    (program) =>
      /^[\w.-]+$/.test(program) && !known.has(program) && !/^(?:node|npm|npx|python3?|pytest)$/.test(program),
  )
  return [
    ...(has(/\b(?:node|npm|npx|yarn|pnpm)\b/) ? ['node'] : []),
    ...(has(/\b(?:npm|npx)\b/) ? ['npm'] : []),
    ...(has(/\b(?:python3?|pytest)\b/) ? ['python3'] : []),
    ...(has(/\bpytest\b/) ? ['pytest'] : []),
    ...own,
  ]
}
