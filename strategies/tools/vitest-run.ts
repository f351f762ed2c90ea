import type { TestFailure } from '../../src/schema/stage/tool-reports.ts'
import type { JunitCase, JunitProblem } from './junit-xml.ts'
import { failureMessage, plainMessage, relativePath } from './output-text.ts'
import { plainText } from './steady-text.ts'
import type { SuiteRun } from './suite-run.ts'

/** Reads the cases of vitest, whose class name is the file, and whose name holds the names of all suites. */
export function vitestRun(cases: readonly JunitCase[], output: string, workspace: string): SuiteRun {
  const failures = cases.filter(({ problems }) => problems.length > 0).map((one) => failure(one, workspace))
  const skipped = cases.filter(({ isSkipped, problems }) => isSkipped && problems.length === 0).length
  const text = plainText(output)
  const notFailed = cases.length - failures.length - skipped
  const { counts, unhandled } = endOf(text)
  // Tests of a worker that crashed stand in the XML as if they had passed.
  const printed =
    counts === undefined ? notFailed : countIn(counts, 'passed') + countIn(counts, 'expected fail')
  return {
    failures,
    total: cases.length,
    skipped,
    passed: Math.min(notFailed, printed),
    ...(unhandled !== undefined && {
      beside: { reason: 'errors that belong to no test', text: unhandled },
    }),
  }
}

/** Reads the last counts, and the last errors that belong to no test. What a test prints may look like both, but comes before them. */
function endOf(text: string): { counts?: string; unhandled?: string } {
  const end = text.slice(lastStart(text, /^ Test Files +\S.*$/gm) ?? text.length)
  const [counts] = /^ +Tests +\S.*$/m.exec(end) ?? []
  const from = lastStart(text, /^⎯+ Unhandled (?:Errors|Rejections) ⎯+$/gm)
  const isCounted = end === '' || /^ +Errors +\d/m.test(end)
  return {
    ...(counts !== undefined && { counts }),
    ...(isCounted && from !== undefined && { unhandled: text.slice(from) }),
  }
}

const lastStart = (text: string, line: RegExp) => [...text.matchAll(line)].at(-1)?.index

const countIn = (line: string, what: string) => Number(new RegExp(`(\\d+) ${what}\\b`).exec(line)?.[1] ?? 0)

function failure(one: JunitCase, workspace: string): TestFailure {
  const [problem] = one.problems as readonly [JunitProblem]
  const file = relativePath(one.className, workspace)
  const line = lineIn(problem.text, file)
  return {
    test_name: plainMessage(withoutColours(one.name)),
    file,
    ...(line !== undefined && { line }),
    error: failureMessage(one.problems.map(messageOf).join('\n')),
  }
}

const withoutColours = (text: string) => text.replace(/(?<!\\(?:x1b|u001b))\[\d{0,3}(?:;\d{1,3})*m/gi, '')

function messageOf({ type, message, text }: JunitProblem): string {
  // vitest removes the first character of a colour's code, and leaves the rest.
  const whole = withoutColours(message)
  const said = whole.trim() === '' ? withoutColours(firstLine(text)) : whole
  const known = type !== '' && !said.startsWith(type)
  return known ? `${type}: ${said}` : said
}

/** An error without a message is printed as an object, which says nothing. */
const firstLine = (text: string) => {
  const line = text.trim().split('\n')[0] ?? ''
  return line === '{' ? '(no message)' : line
}

/** Returns the line of the first frame in the test's own file. */
function lineIn(text: string, file: string): number | undefined {
  for (const [, place = '', line] of plainText(text).matchAll(/^ *❯ (.+?):(\d+):\d+$/gm))
    if (place === file || place.endsWith(` ${file}`) || place.endsWith(`/${file}`)) return Number(line)
  return undefined
}
