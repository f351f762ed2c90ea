import type { TestFailure } from '../../schema/stage/tool-reports.ts'
import { failureMessage, plainMessage, relativePath } from '../output-text.ts'
import { plainText } from '../steady-text.ts'
import type { JunitCase, JunitProblem } from './junit-xml.ts'
import type { SuiteRun } from './suite-run.ts'

/** A failure in the list at the end of what Node prints. */
interface Listed {
  name: string
  file: string
  line: number
  text: string
}

/**
 * Reads the cases of node:test. Its XML names no file, and no test that has subtests and fails by itself; the list at the end
 * of the output has both.
 */
export function nodeRun(cases: readonly JunitCase[], output: string, workspace: string): SuiteRun {
  const listed = listedFailures(output, workspace)
  // A test that is still to be done may fail.
  const isBad = ({ problems, isTodo }: JunitCase) => problems.length > 0 && !isTodo
  const bad = cases.filter(isBad)
  const inFiles = bad.map((one) => failure(one, listed, output, workspace))
  // What is left in the list fails by itself. Suites stand in the XML as well, without a failure.
  const alone = listed.map(({ name, file, line, text }) => ({
    ...{ test_name: name, file, line: lineIn(text, file, workspace) ?? line },
    error: failureMessage(causeOf(text) || '(no message)'),
  }))
  // A test that was cancelled with its suite has no place of its own.
  const placed = inFiles.map((one, i) =>
    one.file === '' ? { ...one, file: fileOfSuite(alone, bad[i] as JunitCase) } : one,
  )
  const failures = [...placed, ...alone]
  const good = cases.filter((one) => !isBad(one))
  const skipped = good.filter(({ isSkipped }) => isSkipped).length
  return { failures, total: failures.length + good.length, skipped, passed: good.length - skipped }
}

const fileOfSuite = (alone: readonly TestFailure[], { suites }: JunitCase): string =>
  alone.find(({ test_name }) => suites.some((suite) => sameName(unquote(suite), test_name)))?.file ?? ''

function failure(one: JunitCase, listed: Listed[], output: string, workspace: string): TestFailure {
  const [problem] = one.problems as readonly [JunitProblem]
  const name = unquote(one.name)
  const at = listed.findIndex((other) => sameName(other.name, name))
  const [found] = at < 0 ? [] : listed.splice(at, 1)
  const isFile = found !== undefined && relativePath(name, workspace) === found.file
  const file = found?.file ?? relativePath(one.file ?? placeIn(problem.text)?.path ?? '', workspace)
  if (isFile) return fileFailure(problem, found.name, file, output, workspace)
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

/** Node writes `&quot;` before it writes `&` as an entity, so that two are left. */
const unquote = (text: string) => text.replaceAll('&quot;', '"')

/** A line break in a name is lost in one of the two. */
const sameName = (one: string, other: string) => one.replace(/\s+/g, '') === other.replace(/\s+/g, '')

function listedFailures(output: string, workspace: string): Listed[] {
  const [, list = ''] = /^✖ failing tests:\n([\s\S]*)/m.exec(plainText(output)) ?? []
  return list.split(/^(?=test at .+:\d+:\d+\n)/m).flatMap((part) => {
    const found = /^test at (.+):(\d+):\d+\n✖ ([\s\S]*?) \([\d.]+ms\)(.*)\n?([\s\S]*)/.exec(part)
    if (!found) return []
    const [, path = '', line, name = '', mark = '', text = ''] = found
    if (/# TODO\b/.test(mark)) return []
    return [{ name, file: relativePath(path, workspace), line: Number(line), text }]
  })
}

/** Returns the message of the innermost error, up to its first frame. */
function causeOf(text: string): string {
  const [, cause] = /\n {2}cause: ([\s\S]*)/.exec(text) ?? []
  const whole = plainText(cause ?? text).trim()
  const inline = /cause: '((?:[^'\\]|\\.)*)'/.exec(text)?.[1]
  if (cause === undefined && inline !== undefined) return exitNote(text, inline)
  const [message = ''] = whole.split(/\n\s+at |\s\{\n/)
  return message.replace(/^'([\s\S]*)'[,\n\s}]*$/, '$1')
}

/** A file that failed as a whole says only that; its exit code says a little more. */
function exitNote(text: string, message: string): string {
  const [, code] = /exitCode: (\d+)/.exec(text) ?? []
  const [, signal] = /signal: '(\w+)'/.exec(text) ?? []
  if (signal !== undefined) return `${message}: its process was ended by ${signal}`
  return code === undefined ? message : `${message}: its process ended with exit code ${code}`
}

function lineIn(text: string, file: string, workspace: string): number | undefined {
  const [, cause = text] = /\n {2}cause: ([\s\S]*)/.exec(text) ?? []
  const inFile = placesIn(cause).find(({ path }) => relativePath(path, workspace) === file)
  return inFile?.line
}

const placeIn = (text: string) => placesIn(text)[0]
const placesIn = (text: string) =>
  [...text.matchAll(/(?:\(|at )((?:file:\/\/)?\/[^\n]*?):(\d+):\d+\)?$/gm)].map(([, path = '', line]) => ({
    path,
    line: Number(line),
  }))
