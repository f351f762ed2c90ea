import { closingBrace } from './markup.ts'

/** A `\boxed{…}`. */
interface Box {
  text: string
  start: number
}

const opening = /\\f?boxed\s?\{/g
const longestBox = 2000

/**
 * Returns the last `\boxed{…}` of a line; braces may nest. Boxes that only `or`, `and` or a comma parts are one text, because they
 * name several answers. A box that does not close on its line ends on one of the next lines, or with its own.
 */
export function lastBox(line: string, below: readonly string[]): Box | undefined {
  if (!line.includes('boxed')) return undefined
  const starts = [...line.matchAll(opening)]
  const last = starts.at(-1)
  if (!last) return undefined
  const from = last.index + last[0].length
  const end = closingBrace(line.slice(0, from + longestBox), from)
  if (end === undefined) return { text: openBox(line.slice(from), below), start: last.index }
  const text = line.slice(from, end)
  let first = last
  for (let i = starts.length - 2; i >= 0; i--) {
    const earlier = starts[i] as RegExpExecArray
    const its = earlier.index + earlier[0].length
    const close = closingBrace(line.slice(0, first.index), its)
    if (close === undefined || !connects(line.slice(close + 1, first.index))) break
    first = earlier
  }
  return { text: first === last ? text : line.slice(first.index, end + 1), start: first.index }
}

/** Whether a text between two boxes only joins them. */
const connects = (text: string) =>
  text.length < 40 &&
  /^(?:[\s$,;/&*+、，；]|\\[()]|\\(?:text|quad|,|;)|[{}]|or|and|or also|oder|und|ou|et|->|→|\|)*$/i.test(text)

function openBox(rest: string, below: readonly string[]): string {
  const text = [rest, ...below].join('\n').slice(0, longestBox)
  const end = closingBrace(text, 0)
  return end === undefined ? rest.slice(0, longestBox) : text.slice(0, end)
}
