import { closingBrace, longestText } from './markup.ts'

const openingBox = /\\f?boxed\s?\{/g
const joinsBoxes =
  /^(?:[\s$,;/&*+、，；]|\\[()]|\\(?:text|quad|,|;)|[{}]|or|and|or also|oder|und|ou|et|->|→|\|)*$/i

/**
 * Returns the last `\boxed{…}` of a line; braces may nest. Boxes that only `or`, `and` or a comma parts are one text, because they
 * name several answers. A box that does not close on its line ends on one of the next lines, or with its own.
 */
export function lastBox(
  line: string,
  below: readonly string[],
): { text: string; start: number; end: number } | undefined {
  const starts = line.includes('boxed') ? [...line.matchAll(openingBox)] : []
  const last = starts.at(-1)
  if (!last) return undefined
  const from = last.index + last[0].length
  const end = closingBrace(line.slice(0, from + longestText), from)
  if (end === undefined) {
    const text = [line.slice(from), ...below].join('\n').slice(0, longestText)
    return {
      text: text.slice(0, closingBrace(text, 0) ?? line.length - from),
      start: last.index,
      end: line.length,
    }
  }
  let first = last
  for (let i = starts.length - 2; i >= 0; i--) {
    const earlier = starts[i] as RegExpExecArray
    const close = closingBrace(line.slice(0, first.index), earlier.index + earlier[0].length)
    const between = close === undefined ? undefined : line.slice(close + 1, first.index)
    if (between === undefined || between.length >= 40 || !joinsBoxes.test(between)) break
    first = earlier
  }
  return {
    text: first === last ? line.slice(from, end) : line.slice(first.index, end + 1),
    start: first.index,
    end,
  }
}
