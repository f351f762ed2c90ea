import type { TestFailure, TestResults } from '../../src/schema/stage/tool-reports.ts'
import { type JunitCase, type JunitProblem, readJunitXml, type SuiteRun } from './junit-xml.ts'
import {
  causeOf,
  type Listed,
  listedFailures,
  matchListed,
  placesIn,
  sameName,
  unquote,
} from './node-results.ts'
import {
  failureMessage,
  mergeRaw,
  orderFailures,
  plainMessage,
  rawOutput,
  relativePath,
  type ToolOutput,
} from './output-text.ts'
import { pytestRun } from './pytest-run.ts'
import { plainText, steadyOutput } from './steady-text.ts'
import { orderVitestOutput, vitestRun } from './vitest-results.ts'

/**
 * Reads the cases of node:test. Its XML names no file, and no test that has subtests and fails by itself; the list at the end
 * of the output has both.
 */
function nodeRun(cases: readonly JunitCase[], output: string, workspace: string): SuiteRun {
  const listed = listedFailures(output, workspace)
  const failing = cases.filter(({ problems }) => problems.length > 0)
  const { found, left } = matchListed(failing, listed)
  // A test that is still to be done may fail.
  const bad = failing.filter(({ isTodo }) => !isTodo)
  const inFiles = bad.map((one) => failure(one, found.get(one), output, workspace))
  // What is left in the list fails by itself. Suites stand in the XML as well, without a failure.
  const alone = left
    .filter(({ isTodo }) => !isTodo)
    .map(({ name, file, line, text }) => ({
      ...{ test_name: name, file, line: lineIn(text, file, workspace) ?? line },
      error: failureMessage(causeOf(text) || '(no message)'),
    }))
  // A test that was cancelled with its suite has no place of its own.
  const placed = inFiles.map((one, i) =>
    one.file === '' ? { ...one, file: fileOfSuite(alone, bad[i] as JunitCase) } : one,
  )
  const failures = [...placed, ...alone]
  const good = cases.filter(({ problems, isTodo }) => problems.length === 0 || isTodo)
  const skipped = good.filter(({ isSkipped }) => isSkipped).length
  return { failures, total: failures.length + good.length, skipped, passed: good.length - skipped }
}

const fileOfSuite = (alone: readonly TestFailure[], { suites }: JunitCase): string =>
  alone.find(({ test_name }) => suites.some((suite) => sameName(unquote(suite), test_name)))?.file ?? ''

function failure(one: JunitCase, found: Listed | undefined, output: string, workspace: string): TestFailure {
  const [problem] = one.problems as readonly [JunitProblem]
  const name = unquote(one.name)
  const isFile = found !== undefined && relativePath(name, workspace) === found.file
  const file = found?.file ?? relativePath(one.file ?? placeIn(problem.text)?.path ?? '', workspace)
  if (isFile) return fileFailure(problem, name, file, output, workspace)
  const line = lineIn(problem.text, file, workspace) ?? found?.line
  return {
    test_name: plainMessage([...one.suites.map(unquote), name].join(' > ')),
    file,
    ...(line !== undefined && { line }),
    error: failureMessage(causeOf(problem.text) || unquote(problem.message) || '(no message)'),
  }
}

/** A file that failed as a whole: what its process printed before it ended says more than the failure. */
function fileFailure(
  problem: JunitProblem,
  name: string,
  file: string,
  output: string,
  workspace: string,
): TestFailure {
  const text = plainText(output)
  const end = text.indexOf(`✖ ${name} (`)
  const printed = (end < 0 ? '' : text.slice(0, end)).split(/^[✔✖▶ℹ﹣].*$/m).at(-1) ?? ''
  const thrown = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*$/m.exec(printed)?.[0]
  const place = [...printed.matchAll(/^(\S.*):(\d+)$/gm)].find(
    ([, path = '']) => relativePath(path, workspace) === file,
  )
  return {
    ...{ test_name: file, file, ...(place && { line: Number(place[2]) }) },
    error: failureMessage(thrown ?? causeOf(problem.text)),
  }
}

function lineIn(text: string, file: string, workspace: string): number | undefined {
  const [, cause = text] = /\n {2}cause: ([\s\S]*)/.exec(text) ?? []
  const inFile = placesIn(cause).find(({ path }) => relativePath(path, workspace) === file)
  return inFile?.line
}

const placeIn = (text: string) => placesIn(text)[0]

const readers = { vitest: vitestRun, 'node:test': nodeRun, pytest: pytestRun } as const

/** A test runner whose reports are understood. */
export type TestTool = keyof typeof readers

interface TestOutput extends ToolOutput {
  tool: TestTool
  /** The JUnit XML; undefined if none was written. */
  junit: string | undefined
  /** The folder in which the tests ran. */
  workspace: string
}

/** Returns the report of a run of tests: its failures alone. What is not understood is passed on under `raw`. */
export function readTestResults(printed: TestOutput): TestResults {
  const { tool, junit, exitCode } = printed
  const output = tool === 'vitest' ? orderVitestOutput(steadyOutput(printed.output)) : printed.output
  const given = { ...printed, output }
  if (junit === undefined) return unread(given, `${tool} wrote no JUnit file and ${endOf(given)}`)
  const read = readJunitXml(junit)
  if ('unreadable' in read) {
    const early = exitCode === null ? `${tool} ${endOf(given)}; ` : ''
    return unread(given, `${early}unreadable: ${read.unreadable}`)
  }
  const run = readers[tool](read.cases, output, given.workspace)
  const failed = run.failures.length
  const { passed, skipped } = run
  const raw = doubt(given, run, read)
  return {
    success: exitCode === 0 && failed === 0 && raw === undefined,
    summary: { total: run.total, passed, failed, skipped },
    failures: orderFailures(run.failures),
    ...(raw && { raw: rawOutput(raw.reason, raw.text) }),
  }
}

/** Nothing is known of a run whose report cannot be read: what there is of it is passed on as a whole. */
function unread({ output, junit = '' }: TestOutput, reason: string): TestResults {
  return {
    success: false,
    summary: { total: 0, passed: 0, failed: 0, skipped: 0 },
    failures: [],
    raw: rawOutput(reason, `${output.trim()}\n${junit.trim()}`),
  }
}

/** Returns what the failures leave unsaid, and why there must be something. */
function doubt(
  printed: TestOutput,
  run: SuiteRun,
  { cases, declaredFailed }: { cases: readonly JunitCase[]; declaredFailed?: number },
): { reason: string; text: string } | undefined {
  const { tool, output, exitCode, junit = '' } = printed
  const failed = run.failures.length
  // pytest counts each subtest that failed, and holds them in one case.
  const found = cases.reduce(
    (sum, { problems: { length } }) => sum + (tool === 'pytest' ? length : Math.min(1, length)),
    0,
  )
  const whole = (reason: string) => ({ reason, text: output })
  // vitest ends with 0 if the project ignores such errors.
  if (run.beside && exitCode !== 0) return run.beside
  // A suite of Node counts the tests right in it alone.
  if (tool !== 'node:test' && declaredFailed !== undefined && declaredFailed !== found)
    return whole(`the JUnit file says that ${declaredFailed} tests failed, and holds ${found}`)
  const counted = tool === 'node:test' ? countedByNode(junit) : 0
  if (counted > failed + failedSuites(cases))
    return whole(`node:test says that ${counted} tests failed, and ${failed} were found`)
  if (exitCode === null) return whole(`${tool} ${endOf(printed)}`)
  if (exitCode !== 0 && failed === 0) return whole(`${tool} ${endOf(printed)}, and no test failed`)
  // pytest ends with 2 where a file could not be collected, and where it was interrupted before the end.
  if (tool === 'pytest' && exitCode === 2 && cases.some(isCollection)) return undefined
  if (exitCode > 1) return whole(`${tool} ${endOf(printed)}`)
  if (exitCode === 0 && failed > 0) return whole(`${tool} ended with exit code 0, and ${failed} tests failed`)
  return cases.length === 0 ? whole('no test ran') : undefined
}

const isCollection = ({ problems }: JunitCase) =>
  problems.some(({ kind, message }) => kind === 'error' && message === 'collection failure')

const countedByNode = (junit: string): number =>
  [...junit.matchAll(/<!-- (?:fail|cancelled) (\d+) -->/g)].reduce((sum, [, count]) => sum + Number(count), 0)

function failedSuites(cases: readonly JunitCase[]): number {
  const failed = cases.filter(({ problems }) => problems.length > 0)
  return new Set(
    failed.flatMap(({ suites }) => suites.map((_, depth) => suites.slice(0, depth + 1).join('\n'))),
  ).size
}

/** Says how the runner ended. A time limit stands at the end of the output. */
function endOf({ exitCode, output }: TestOutput): string {
  if (exitCode !== null) return `ended with exit code ${exitCode}`
  return /did not end within [\d.]+ s(?=\.?$)/.exec(output.trim())?.[0] ?? 'did not end by itself'
}

/** A report, and the runner that it is of. */
interface Run {
  name: string
  report: TestResults
}

/**
 * Returns one report for the tests of several runners. A runner that is not installed says nothing beside one that ran: it stands
 * under `not_run`, as do `others`, the runners that are not run here.
 */
export function mergeTestResults(runs: readonly Run[], others: readonly string[]): TestResults {
  const ran = runs.some(({ report }) => !isAbsent(report))
    ? runs.filter(({ report }) => !isAbsent(report))
    : runs
  const absent = runs.filter((run) => !ran.includes(run)).map(({ name }) => `${name} is not installed`)
  const not_run = [...absent, ...others.map((name) => `${name} is not one of the runners`)]
  const reports = ran.map(({ report }) => report)
  const sum = (name: keyof TestResults['summary']) =>
    reports.reduce((total, { summary }) => total + summary[name], 0)
  return {
    success: reports.every(({ success }) => success),
    summary: { total: sum('total'), passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
    failures: reports.flatMap(({ failures }) => failures),
    ...(not_run.length > 0 && { not_run }),
    ...mergeRaw(reports),
  }
}

/** Whether no test was run, since the runner is not on this machine. */
const isAbsent = ({ summary, raw }: TestResults): boolean =>
  summary.total === 0 &&
  raw !== undefined &&
  (/^\w+ is not installed/.test(raw.reason) ||
    /^(?:spawnSync |spawn )?python3 ENOENT$|^[^\n]*: No module named pytest$/.test(raw.text.trim()))
