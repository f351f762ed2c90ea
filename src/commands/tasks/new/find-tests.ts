import { type CommandEnd, readSummary, startCommand } from '../../../graders/test-run/run-command.ts'
import { withPackages } from '../../../graders/test-run/run-tests.ts'
import type { SandboxRun } from '../../../sandbox/sandbox.ts'
import type { Files, Task } from '../../../schema/task.ts'
import { UserError } from '../../../text/errors.ts'
import { shorten } from '../../../text/shorten.ts'

/** The tests of a task as they were found by running: by name, or only counted where the command names none. */
export type FoundTests = { failToPass: string[]; passToPass: string[]; flaky: string[] } | { count: number }

/** The task before its tests are known, and the states to run them in. */
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
 * or did not run before it are to be made pass. Throws `UserError` if the tests do not tell the two states apart.
 */
export async function findTests({ task, before, after, run, signal }: Finding): Promise<FoundTests> {
  const [spec] = task.spec.graders
  if (spec?.kind !== 'tests') throw new Error('a task of a commit has a grader of kind tests')
  const job = { task, spec, folder: 'tests' as const, tests: task.hidden.tests, signal }
  const start = (files: Files) => startCommand({ ...job, files, run: withPackages(run, task.spec.requires) })
  const first = await start(after)
  requirePass(first)
  const second = await start(after)
  requirePass(second)
  const old = await start(before)
  if (first.named.size > 0) return named(first, second, old)
  if (hasPassed(old)) throw passBefore()
  return { count: Math.max(1, readSummary(first.output)?.passed ?? 1) }
}

/** Throws `UserError` if no test passed after the commit. */
function requirePass(end: CommandEnd): void {
  if (end.fault !== undefined) throw failedAfter(end, end.fault)
  if (end.named.size === 0 && !hasPassed(end)) throw failedAfter(end, 'they fail')
  if (end.named.size > 0 && ![...end.named.values()].includes(true))
    throw failedAfter(end, 'none of them passes')
}

const hasPassed = ({ fault, exitCode }: CommandEnd) => fault === undefined && exitCode === 0

function named(first: CommandEnd, second: CommandEnd, old: CommandEnd): FoundTests {
  const names = [...first.named.keys()].sort()
  const passed = names.filter((name) => first.named.get(name) && second.named.get(name))
  const flaky = names.filter((name) => first.named.get(name) !== second.named.get(name))
  const hadPassed = (name: string) => old.fault === undefined && old.named.get(name) === true
  const failToPass = passed.filter((name) => !hadPassed(name))
  if (passed.length === 0) throw failedAfter(first, 'no test passes in both of two equal runs')
  if (failToPass.length === 0) throw passBefore()
  return { failToPass, passToPass: passed.filter(hadPassed), flaky }
}

const passBefore = () =>
  new UserError({
    where: '--tests',
    what: 'pass before the commit as well, so they cannot tell whether the work was done',
    fix: 'Name a command that runs the tests that the commit added or changed, or another commit.',
  })

function failedAfter({ output, exitCode }: CommandEnd, how: string): UserError {
  const missing = missingPart(output)
  return new UserError({
    where: '--tests',
    what: `${how} after the commit (exit code ${exitCode ?? 'none'}): ${shorten(output.trim(), 1200) || 'no output'}`,
    fix:
      missing ??
      'Tests run in the sandbox: no network, no installed packages, only the text files of the repository. Name a command that passes there, such as one for single test files.',
  })
}

/** Returns the remedy for what the output says is missing. */
function missingPart(output: string): string | undefined {
  if (/EAI_AGAIN|ENOTFOUND|registry\.npmjs\.org/.test(output))
    return 'The command wants to download something, and there is no network. npx finds only what is installed, and installed packages are not there.'
  const [, module] = /Cannot find (?:module|package) '([^'./][^']*)'/.exec(output) ?? []
  if (module !== undefined) {
    const name = module
      .split('/')
      .slice(0, module.startsWith('@') ? 2 : 1)
      .join('/')
    return `The package ${name} is not there: a task holds only text files. If it and what it imports are JavaScript, add --include node_modules/${name}. A package with a native part cannot be taken.`
  }
  const [, python] = /No module named '?([\w]+)/.exec(output) ?? []
  if (python !== undefined)
    return `If ${python} is a package that is installed for python3, add --requires python:${python}. The command must begin with python3 or pytest: behind sh or env another Python may be found.`
  const [, program] = /(?:^|[\s:])([\w.-]+): (?:command )?not found/m.exec(output) ?? []
  if (program !== undefined)
    return `The program ${program} is not there. A script in node_modules/.bin is a link, which a task cannot hold: name its file, such as --tests 'node node_modules/${program}/bin/${program}.js' with --include node_modules/${program}.`
  return undefined
}
