import type { CommandEnd } from '../../../graders/test-run/run-command.ts'
import { shorten } from '../../../text/shorten.ts'

/** Why the tests of a commit make no task, as a person reads it. */
export interface TestsFailure {
  what: string
  fix: string
  /** A few lines of what the command printed. */
  excerpt: string[]
}

/** Returns why tests that do not pass after the commit make no task: what happened, the remedy, and the lines that show it. */
export function failedAfter({ output, exitCode }: CommandEnd, how: string): TestsFailure {
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

/** Returns the lines around a place of the output, or its last ones; empty lines and lines of npm about itself are left out. */
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

/** Returns the remedy for what the output says is missing, and where it says so. */
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
