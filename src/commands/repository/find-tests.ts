import { readSummary, startCommand } from '../../graders/test-run/run-command.ts'
import { runTests, withPackages } from '../../graders/test-run/run-tests.ts'
import { isPackage, type TestJob } from '../../graders/test-run/test-job.ts'
import { lazySandbox } from '../../sandbox/open-sandbox.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Files, Task } from '../../schema/task.ts'
import { makeTask } from '../../suites/make-task.ts'
import type { TaskFolder } from '../tasks/finish-task.ts'
import {
  failedAfter,
  passBefore,
  ranNoTest,
  reasonsOf,
  type TestsEnd,
  type TestsFailure,
  tooManyTests,
} from './tests-failure.ts'

/** The tests of a task as they were found by running: by name, or only counted where the command names none. */
export type FoundTests =
  | { failToPass: string[]; passToPass: string[]; flaky: string[]; leftOut: string[]; tooMany: string[] }
  | { count: number }

/** Runs the tests of the task of a commit, in the sandbox, before the commit and after it; see `findTests`. */
export async function findCommitTests(
  { spec, instruction, ...texts }: TaskFolder,
  signal: AbortSignal,
): Promise<FoundTests | TestsFailure> {
  const { files = {}, tests = {}, solution = {} } = texts
  const hidden = { tests, solution: { files: solution } }
  const task = makeTask({ suite: 'new', spec, instruction, files, checks: {}, hidden, origin: 'new' })
  const { run } = lazySandbox('auto')
  return findTests({ task, before: files, after: { ...files, ...solution }, run, signal })
}

interface Finding {
  task: Task
  /** The workspace before and after the commit. */
  before: Files
  after: Files
  run: SandboxRun
  signal: AbortSignal
}

/**
 * Runs the hidden tests before the commit once and after it twice, the second time in another order of files. Tests that pass after it
 * in both runs count; those that failed or did not run before it are to be made pass. Returns the failure if the tests do not tell the
 * two states apart.
 */
async function findTests({ task, before, after, run, signal }: Finding): Promise<FoundTests | TestsFailure> {
  const [spec] = task.spec.graders
  if (spec?.kind !== 'tests') throw new Error('a task of a commit has a grader of kind tests')
  const job = { task, spec, folder: 'tests' as const, tests: task.hidden.tests, signal }
  const start = (files: Files, shuffle?: string) => startTests({ ...job, files, run, shuffle })
  const first = await start(after)
  const firstFailure = failureOf(first, task)
  if (firstFailure) return firstFailure
  const second = await start(after, 'another order')
  const secondFailure = failureOf(second, task)
  if (secondFailure) return secondFailure
  const old = await start(before)
  if (first.named.size > 0) return named(first, second, old, task)
  return hasPassed(old) ? passBefore([]) : { count: Math.max(1, readSummary(first.output)?.passed ?? 1) }
}

/** The failure of tests of which those that the commit changed do not pass after it; undefined if they pass. */
function ofCommit({ messages, ...end }: TestsEnd, task: Task): TestsFailure | undefined {
  const changed = Object.keys(task.hidden.tests).filter((path) => !isPackage(path))
  const failed = [...(messages ?? [])].filter(([name]) =>
    changed.some((path) => name === path || name.startsWith(`${path} > `)),
  )
  if (failed.length === 0) return undefined
  const output = failed.map(([name, message]) => `${name}: ${message}`).join('\n')
  return failedAfter({ ...end, output, messages: new Map(failed) }, 'changes tests that do not pass', task)
}

/** Runs the tests by their command, or by a runner of bench. */
async function startTests(job: TestJob): Promise<TestsEnd> {
  if (job.spec.runner === 'command')
    return startCommand({ ...job, run: withPackages(job.run, job.task.spec.requires) })
  const { results, fault } = await runTests(job)
  const isFile = (name: string) => name in job.files || name in job.tests
  const messages = new Map(results.filter(({ ok }) => !ok).map(({ name, message }) => [name, message]))
  const tests = results.filter(({ name }) => !isFile(name))
  return {
    named: new Map(tests.map(({ name }) => [name, messages.get(name) === undefined])),
    messages,
    output: [...messages].map(([name, message]) => `${name}: ${message}`).join('\n'),
    exitCode: messages.size > 0 ? 1 : 0,
    ...(fault !== undefined && { fault }),
  }
}

function failureOf(end: TestsEnd, task: Task): TestsFailure | undefined {
  if (end.fault !== undefined) return failedAfter(end, `stopped (${end.fault})`, task)
  if (ranNothing(end)) return ranNoTest(end, task)
  if (end.named.size === 0 && !hasPassed(end)) return failedAfter(end, 'fails', task)
  if (end.named.size > 0 && ![...end.named.values()].includes(true))
    return failedAfter(end, 'runs tests, of which none passes', task)
  return undefined
}

/** Whether a runner says that it ran no test: it may end well all the same. */
function ranNothing({ named, messages, output }: TestsEnd): boolean {
  if (named.size > 0) return false
  if (messages) return messages.size === 0
  const summary = readSummary(output)
  return (
    /^(?:Ran 0 tests|NO TESTS RAN|no tests ran|# tests 0|ℹ tests 0|No tests found|No test files found)/m.test(
      output,
    ) ||
    /collected 0 items/.test(output) ||
    (summary !== undefined && summary.passed + summary.failed === 0)
  )
}

const hasPassed = ({ fault, exitCode }: TestsEnd) => fault === undefined && exitCode === 0

function named(first: TestsEnd, second: TestsEnd, old: TestsEnd, task: Task): FoundTests | TestsFailure {
  const names = [...first.named.keys()].sort()
  const passed = names.filter((name) => first.named.get(name) && second.named.get(name))
  const flaky = names.filter((name) => first.named.get(name) !== second.named.get(name))
  const hadPassed = (name: string) => old.fault === undefined && old.named.get(name) === true
  const failToPass = passed.filter((name) => !hadPassed(name))
  if (passed.length === 0) return failedAfter(first, 'passes no test in both of two equal runs', task)
  const leftOut = reasonsOf(first, task)
  if (failToPass.length === 0) return ofCommit(first, task) ?? passBefore(leftOut)
  const tooMany = filesOfMany(passed, task).filter((path) => !failToPass.some((name) => isOf(name, path)))
  const passToPass = passed.filter((name) => hadPassed(name) && !tooMany.some((path) => isOf(name, path)))
  const count = failToPass.length + passToPass.length
  return count > mostNames
    ? tooManyTests(count, mostNames)
    : { failToPass, passToPass, flaky, leftOut, tooMany }
}

/** A task names its tests one by one, and is read at each start. */
const mostNames = 10_000
/** Most tests of a file that the commit did not change. */
const mostOfFile = 1000

const isOf = (test: string, path: string) => test.startsWith(`${path} > `)

/** Returns the test files that the commit did not change and that have very many tests, such as one for each character there is. */
function filesOfMany(tests: readonly string[], task: Task): string[] {
  const [spec] = task.spec.graders
  const files = (spec?.kind === 'tests' && spec.files) || []
  return files.filter(
    (path) => !(path in task.hidden.tests) && tests.filter((name) => isOf(name, path)).length > mostOfFile,
  )
}

/** Returns the tests that were found, as a text. */
export function foundText(found: FoundTests): string {
  if ('count' in found)
    return `The command names no test, so the task takes its exit code and the count that it prints: ${found.count}.`
  const { failToPass, passToPass, flaky, leftOut, tooMany } = found
  return [
    `fail before, pass after (failToPass): ${failToPass.length}`,
    ...failToPass.slice(0, 10).map((name) => `  ${name}`),
    ...(failToPass.length > 10 ? [`  … and ${failToPass.length - 10} more, in task.yaml`] : []),
    `pass before and after (passToPass): ${passToPass.length}`,
    ...tooMany.map(
      (path) => `left out, since it has more than ${mostOfFile} tests and is no part of the commit: ${path}`,
    ),
    ...(leftOut.length > 0 ? ['do not count:', ...leftOut.map((line) => `  ${line}`)] : []),
    ...(flaky.length > 0 ? [`left out, since two equal runs differ: ${flaky.join(', ')}`] : []),
  ].join('\n')
}
