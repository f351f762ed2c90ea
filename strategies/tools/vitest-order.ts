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
