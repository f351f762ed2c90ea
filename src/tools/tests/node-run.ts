import type { TestFailure } from '../../schema/stage/tool-reports.ts'
import { failureMessage, plainMessage, relativePath } from '../output-text.ts'
import { plainText } from '../steady-text.ts'
import type { JunitCase, JunitProblem } from './junit-xml.ts'
import { type Listed, listedFailures, matchListed, sameName, unquote } from './node-list.ts'
import { causeOf, placesIn } from './node-text.ts'
import type { SuiteRun } from './suite-run.ts'

/**
 * Reads the cases of node:test. Its XML names no file, and no test that has subtests and fails by itself; the list at the end
 * of the output has both.
 */
export function nodeRun(cases: readonly JunitCase[], output: string, workspace: string): SuiteRun {
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
