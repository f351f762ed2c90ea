import { type CommandEnd, readSummary, startCommand } from '../../graders/test-run/run-command.ts'
import { withPackages } from '../../graders/test-run/run-tests.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Files, Task } from '../../schema/task.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'

/** The tests of a task as they were found by running: by name, or only counted where the command names none. */
export type FoundTests = { failToPass: string[]; passToPass: string[]; flaky: string[] } | { count: number }

interface Finding {
  task: Task
  /** The workspace before and after the commit. */
  before: Files
  after: Files
  run: SandboxRun
  signal: AbortSignal
}

/**
 * Runs the hidden tests before the commit once and after it twice. Tests that pass after it in both runs count; those that failed
 * or did not run before it are to be made pass. Returns the failure if the tests do not tell the two states apart.
 */
export async function findTests({
  task,
  before,
  after,
  run,
  signal,
}: Finding): Promise<FoundTests | TestsFailure> {
  const [spec] = task.spec.graders
  if (spec?.kind !== 'tests') throw new Error('a task of a commit has a grader of kind tests')
  const job = { task, spec, folder: 'tests' as const, tests: task.hidden.tests, signal }
  const start = (files: Files) => startCommand({ ...job, files, run: withPackages(run, task.spec.requires) })
  const first = await start(after)
  const firstFailure = failureOf(first)
  if (firstFailure) return firstFailure
  const second = await start(after)
  const secondFailure = failureOf(second)
  if (secondFailure) return secondFailure
  const old = await start(before)
  if (first.named.size > 0) return named(first, second, old)
  return hasPassed(old) ? passBefore : { count: Math.max(1, readSummary(first.output)?.passed ?? 1) }
}

function failureOf(end: CommandEnd): TestsFailure | undefined {
  if (end.fault !== undefined) return failedAfter(end, `stopped (${end.fault})`)
  if (end.named.size === 0 && !hasPassed(end)) return failedAfter(end, 'fails')
  if (end.named.size > 0 && ![...end.named.values()].includes(true))
    return failedAfter(end, 'runs tests, of which none passes')
  return undefined
}

const hasPassed = ({ fault, exitCode }: CommandEnd) => fault === undefined && exitCode === 0

function named(first: CommandEnd, second: CommandEnd, old: CommandEnd): FoundTests | TestsFailure {
  const names = [...first.named.keys()].sort()
  const passed = names.filter((name) => first.named.get(name) && second.named.get(name))
  const flaky = names.filter((name) => first.named.get(name) !== second.named.get(name))
  const hadPassed = (name: string) => old.fault === undefined && old.named.get(name) === true
  const failToPass = passed.filter((name) => !hadPassed(name))
  if (passed.length === 0) return failedAfter(first, 'passes no test in both of two equal runs')
  if (failToPass.length === 0) return passBefore
  return { failToPass, passToPass: passed.filter(hadPassed), flaky }
}

const passBefore: TestsFailure = {
  what: 'passes before the commit as well, so it cannot tell whether the work was done',
  fix: 'Name a command that runs the tests that the commit added or changed, or another commit.',
  excerpt: [],
}

/** A command that runs tests, and what it needs. */
export interface TestCommand {
  /** Program and arguments. What needs a shell is given to `sh -c`. */
  command: string[]
  /** Programs and Python packages. */
  requires: string[]
}

/** Parses `--tests`. It asks pytest and unittest to name each test, since a task names those that must pass. */
export function parseTestCommand(text: string): TestCommand {
  const trimmed = text.trim()
  if (trimmed === '')
    throw new UserError({ where: '--tests', what: 'is empty', fix: "Write for example --tests 'npm test'." })
  const named = withNames(trimmed)
  const needsShell = /[&|;<>$`(){}*?~\n]|^\s*\w+=/.test(named)
  const words = needsShell ? ['sh', '-c', named] : wordsOf(named)
  return { command: words, requires: requiredBy(trimmed) }
}

function withNames(text: string): string {
  if (/\bpytest\b/.test(text) && !/\s-(?:v+|r\w+)\b/.test(text)) return `${text} -rA`
  if (/-m unittest\b/.test(text) && !/\s(?:-v|--verbose)\b/.test(text)) return `${text} -v`
  return text
}

/** Splits a command into words; quotes hold words together. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  const pattern = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g
  for (const [word] of text.matchAll(pattern))
    words.push(
      word.replace(
        /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
        (_, char?: string, double?: string, single?: string) =>
          char ?? single ?? (double ?? '').replace(/\\(.)/g, '$1'),
      ),
    )
  if (/["']/.test(text.replaceAll(pattern, '')))
    throw new UserError(problemAt(`--tests ${text}`, 'has a quote without an end', 'Close the quote.'))
  return words
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

/** Why the tests of a commit make no task, as a person reads it. */
export interface TestsFailure {
  what: string
  fix: string
  /** A few lines of what the command printed. */
  excerpt: string[]
}

/** Returns why tests that do not pass after the commit make no task: what happened, the remedy, and the lines that show it. */
function failedAfter({ output, exitCode }: CommandEnd, how: string): TestsFailure {
  const missing = missingPart(output)
  return {
    what: `${how} after the commit (exit code ${exitCode ?? 'none'})`,
    fix:
      missing?.fix ??
      'Tests run in the sandbox: no network, no installed packages, only the text files of the repository. Name a command that passes there, such as one for single test files.',
    excerpt: excerptOf(output, missing?.at),
  }
}

/** Most lines of an excerpt, and most characters of a line. */
const most = { lines: 12, width: 160 } as const

function excerptOf(output: string, at: number | undefined): string[] {
  const isTold = (line: string) => line.trim() !== '' && !/^npm (?:error|notice) A complete log/.test(line)
  const lines = output.split('\n').filter(isTold)
  if (lines.length === 0) return ['(it printed nothing)']
  const before = at === undefined ? lines.length : output.slice(0, at).split('\n').filter(isTold).length
  const from = Math.max(0, Math.min(before - 3, lines.length - most.lines))
  const shown = lines.slice(from, from + most.lines)
  const left = lines.length - shown.length
  return [
    ...shown.map((line) => shorten(line.trimEnd().replaceAll('\t', '  '), most.width)),
    ...(left > 0 ? [`(${left} more ${left === 1 ? 'line' : 'lines'})`] : []),
  ]
}

function missingPart(output: string): { fix: string; at: number } | undefined {
  for (const { pattern, remedy } of causes) {
    const found = pattern.exec(output)
    if (found) return { fix: remedy(found[1] ?? ''), at: found.index }
  }
  return undefined
}

const causes: readonly { pattern: RegExp; remedy(name: string): string }[] = [
  {
    pattern: /EAI_AGAIN|ENOTFOUND|registry\.npmjs\.org/,
    remedy: () =>
      'The command wants to download something, and there is no network. npx finds only what is installed, and installed packages are not there.',
  },
  {
    pattern:
      /(?:^|[\s:])(vitest|vite|esbuild|tsx): (?:command )?not found|Cannot find package '(?:@vitest\/|esbuild|rolldown)/m,
    remedy: (program) =>
      `${program || 'The test runner'} has a native part, which a task cannot hold, so --include does not help. Name a command that needs less, such as node --test on JavaScript files, or keep these tests out of bench.`,
  },
  {
    pattern: /Cannot find (?:module|package) '([^'./][^']*)'/,
    remedy: (module) => {
      const name = module
        .split('/')
        .slice(0, module.startsWith('@') ? 2 : 1)
        .join('/')
      return `The package ${name} is not there: a task holds only text files. If it and what it imports are JavaScript, add --include node_modules/${name}. A package with a native part cannot be taken.`
    },
  },
  {
    pattern: /No module named '?(\w+)/,
    remedy: (name) =>
      `If ${name} is in src/ of the repository, write --tests 'python3 -m pytest -o pythonpath=src'. If it is a package that is installed for python3, add --requires python:${name}. The command must begin with python3 or pytest: behind sh or env another Python may be found.`,
  },
  {
    pattern: /(?:^|[\s:])([\w.-]+): (?:command )?not found/m,
    remedy: (program) =>
      `The program ${program} is not there. A script in node_modules/.bin is a link, which a task cannot hold: name its file, such as --tests 'node node_modules/${program}/bin/${program}.js' with --include node_modules/${program}.`,
  },
  {
    pattern: /shims\/([\w.-]+): line \d+: .*No such file/,
    remedy: (program) =>
      `${program} is a script of pyenv, which the sandbox does not have. Write python3 -m ${program} in its place.`,
  },
  {
    pattern: /Missing script: "([^"]*)"/,
    remedy: (script) => `package.json has no script ${script} after the commit. Name another command.`,
  },
]
