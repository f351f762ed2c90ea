import { tooMuchOutput } from '../../graders/test-run/harness-run.ts'
import type { CommandEnd } from '../../graders/test-run/run-command.ts'
import type { Task } from '../../schema/task.ts'
import { shorten } from '../../text/shorten.ts'
import { type Uncovered, uncoveredPart } from './uncovered.ts'

/** Why the tests of a commit make no task, as a person reads it. */
export interface TestsFailure {
  what: string
  fix: string
  /** A few lines of what the command printed. */
  excerpt: string[]
}

/** How a run of tests ended. */
export type TestsEnd = CommandEnd & {
  /** Why tests failed, and files could not be loaded; of a runner of bench. */
  messages?: ReadonlyMap<string, string>
}

const fewerTests =
  "Name single test files: --tests 'vitest run test/x.test.ts', --tests 'node --test test/x.test.js'. Else name another commit."

/** Returns why tests that do not pass after the commit make no task: what happened, the remedy, and the lines that show it. */
export function failedAfter(end: TestsEnd, how: string, task: Task): TestsFailure {
  const { output, exitCode, messages } = end
  const missing = messages ? undefined : missingPart(output)
  const uncovered = messages && mostOften(end, task)
  return {
    what: `${how} after the commit${messages ? '' : ` (exit code ${exitCode ?? 'none'})`}${uncovered ? `: ${uncovered.what}` : ''}`,
    fix:
      missing?.fix ??
      uncovered?.fix ??
      (how.includes(tooMuchOutput) ? fewerTests : undefined) ??
      'Tests run in the sandbox: no network, no other folders, only the text files of the repository and the packages that they import. Name single test files that pass there, or another commit.',
    excerpt: excerptOf(output, missing?.at),
  }
}

/** The failure of a command that ran no test at all after the commit. */
export function ranNoTest({ output }: TestsEnd, { spec }: Task): TestsFailure {
  const [grader] = spec.graders
  const command = grader?.kind === 'tests' ? (grader.command ?? []).join(' ') : ''
  const fix = /-m unittest/.test(command)
    ? "unittest looks only for test*.py, in packages. Write --tests 'python3 -m unittest discover -s FOLDER', or name the module: --tests 'python3 -m unittest tests.test_x'."
    : /pytest/.test(command)
      ? "pytest looks for test_*.py and *_test.py. Name the file: --tests 'python3 -m pytest checks/test_x.py'."
      : "Name the test files in the command, such as --tests 'node --test test/x.test.js' or --tests 'vitest run test/x.test.ts'."
  return {
    what: 'runs no test after the commit, so nothing could grade the task',
    fix,
    excerpt: excerptOf(output, undefined),
  }
}

/** The failure of tests that tell nothing. `leftOut`: why others do not count. */
export const passBefore = (leftOut: readonly string[]): TestsFailure => ({
  what: 'passes before the commit as well, so it cannot tell whether the work was done',
  fix: 'Name a command that runs the tests that the commit added or changed, or another commit.',
  excerpt:
    leftOut.length > 0 ? ['Tests that do not count, since they fail after the commit:', ...leftOut] : [],
})

/** The failure of tests that are more than a task may name. */
export const tooManyTests = (count: number, most: number): TestsFailure => ({
  what: `runs ${count} tests that pass, more than the ${most} that a task can name`,
  fix: fewerTests,
  excerpt: [],
})

/** Returns why tests and files do not count that fail after the commit, a line for each reason. */
export function reasonsOf(end: TestsEnd, task: Task): string[] {
  const failed = [...(end.messages ?? [])]
  const byReason = new Map<string, string[]>()
  for (const [name, message] of failed) {
    const reason = uncoveredPart(message, task)?.what ?? 'they fail after the commit, too'
    byReason.set(reason, [...(byReason.get(reason) ?? []), `${name}: ${message.split('\n')[0]}`])
  }
  return [...byReason].map(
    ([reason, all]) =>
      `${all.length} ${all.length === 1 ? 'test or file' : 'tests or files'}: ${reason}, such as ${shorten(all[0] as string, 200)}`,
  )
}

/** Returns the reason of most failures. */
function mostOften({ messages }: TestsEnd, task: Task): Uncovered | undefined {
  const found = [...(messages?.values() ?? [])].flatMap((message) => uncoveredPart(message, task) ?? [])
  const count = ({ what }: Uncovered) => found.filter((one) => one.what === what).length
  return found.toSorted((a, b) => count(b) - count(a))[0]
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
      "The command wants to download something, and there is no network. Write the runner itself: --tests 'vitest run', --tests jest, or --tests 'node --test test/*.test.js'.",
  },
  {
    pattern:
      /Cannot find package '((?:@vitest\/|esbuild|rolldown|@rollup\/|@swc\/core)[^'/]*)|(?:^|[\s:])(?:vite|esbuild): (?:command )?not found/m,
    remedy: () =>
      "That package has a native part, which a task cannot hold. Write the runner itself, which bench plays without it: --tests 'vitest run', --tests jest, or --tests 'node --import tsx --test test/*.test.ts'.",
  },
  {
    pattern: /Cannot find (?:module|package) '([^'./][^']*)'/,
    remedy: (module) => {
      const name = module
        .split('/')
        .slice(0, module.startsWith('@') ? 2 : 1)
        .join('/')
      return `The package ${name} is not there: a task holds only text files. If it and what it imports are JavaScript, add --include node_modules/${name}: what it depends on is taken, too. A package with a native part cannot be taken; name test files that do without.`
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
      `The program ${program} is not there: scripts in node_modules/.bin are links, which a task cannot hold. If it starts Vitest, Jest or node --test, write that in its place, such as --tests 'vitest run'. Else write the file that "bin" in node_modules/${program}/package.json names, with its package: --tests 'node node_modules/${program}/…' --include node_modules/${program}.`,
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
