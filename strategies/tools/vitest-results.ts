import type { TestFailure } from '../../src/schema/stage/tool-reports.ts'
import type { JunitCase, JunitProblem, SuiteRun } from './junit-xml.ts'
import { failureMessage, plainMessage, relativePath } from './output-text.ts'
import { plainText } from './steady-text.ts'

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

function lineIn(text: string, file: string): number | undefined {
  for (const [, place = '', line] of plainText(text).matchAll(/^ *❯ (.+?):(\d+):\d+$/gm))
    if (place === file || place.endsWith(` ${file}`) || place.endsWith(`/${file}`)) return Number(line)
  return undefined
}

/** A heading of vitest's output, behind which other things stand. */
const heading = /^(?:⎯+ (?:Failed|Unhandled) .* ⎯+| Test Files .*| RUN .*)$/
const fileResult = /^ [✓❯×↓] (?<file>.+?) \(\d+ tests?\b/
const printedBy = /^(?:stdout|stderr) \| (?<file>\S.*?)(?: > .*)?$/
const failureEnd = /^⎯+\[\d+\/\d+\]⎯$/
const unhandled = /^⎯+ Unhandled (?:Error|Rejection|Exception) ⎯+$/

/**
 * Puts plain output of vitest into one order: what belongs to a file by the file's name, failures and unhandled errors by their
 * text. vitest takes files in the order in which it finds them. No line is lost but rules and numbers of failures.
 */
export function orderVitestOutput(text: string): string {
  const sections = splitBefore(text.split('\n'), (line) => heading.test(line) && !unhandled.test(line))
  return sections.flatMap(orderSection).join('\n')
}

function orderSection(lines: readonly string[]): string[] {
  const [first = ''] = lines
  if (/^⎯+ Failed /.test(first)) return orderFailures(lines)
  // The rule at the end stands behind whichever error comes last.
  if (/^⎯+ Unhandled /.test(first))
    return orderBlocks(
      lines.filter((line) => !/^(?:⎯+|\s*)$/.test(line)),
      (line) => unhandled.test(line),
      join,
    )
  return orderBlocks(
    lines,
    (line) => fileOf(line) !== undefined,
    ([line = '']) => fileOf(line) ?? '',
  )
}

const fileOf = (line: string) => (fileResult.exec(line) ?? printedBy.exec(line))?.groups?.file
const join = (lines: readonly string[]) => lines.join('\n')

/** Each failure ends with a line of its number; one that several tests share begins with all of them. */
function orderFailures([title = '', ...lines]: readonly string[]): string[] {
  const failures = splitBefore(lines, (_, before) => before !== undefined && failureEnd.test(before)).map(
    (part) => part.map((line) => (failureEnd.test(line) ? '⎯⎯⎯' : line)),
  )
  const isWhole = (part: readonly string[]) => part.at(-1) === '⎯⎯⎯'
  const whole = failures.filter(isWhole).map(sortNames)
  return [title, ...sortBy(whole, join).flat(), ...failures.filter((part) => !isWhole(part)).flat()]
}

function sortNames(failure: readonly string[]): string[] {
  const isName = (line: string) => line.startsWith(' FAIL ')
  const names = failure.filter(isName).sort()
  return failure.map((line) => (isName(line) ? (names.shift() ?? line) : line))
}

function orderBlocks(
  lines: readonly string[],
  begins: (line: string) => boolean,
  keyOf: (block: readonly string[]) => string,
): string[] {
  // The blank lines before the next heading belong to no block.
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1
  const blocks = splitBefore(lines.slice(0, end), begins)
  const head = blocks[0] !== undefined && !begins(blocks[0][0] ?? '') ? blocks.splice(0, 1) : []
  return [...head, ...sortBy(blocks, keyOf), lines.slice(end)].flat()
}

function splitBefore(
  lines: readonly string[],
  begins: (line: string, before?: string) => boolean,
): string[][] {
  const parts: string[][] = []
  for (const [i, line] of lines.entries()) {
    const part = parts.at(-1)
    if (part === undefined || begins(line, lines[i - 1])) parts.push([line])
    else part.push(line)
  }
  return parts
}

/** By code units; what has equal keys stays in its order. */
const sortBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] =>
  [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
