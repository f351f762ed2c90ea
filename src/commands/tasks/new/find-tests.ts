import { type CommandEnd, readSummary, startCommand } from '../../../graders/test-run/run-command.ts'
import { withPackages } from '../../../graders/test-run/run-tests.ts'
import type { SandboxRun } from '../../../sandbox/sandbox.ts'
import type { Files, Task } from '../../../schema/task.ts'
import { failedAfter, type TestsFailure } from './tests-failure.ts'

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

/** Returns the failure if no test passed after the commit. */
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
