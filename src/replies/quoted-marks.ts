import { findValues } from './data/find-values.ts'
import type { ThoughtMark } from './thought-marks.ts'

/**
 * Says whether a mark belongs to code or data of the answer, which begins at `from`: then it is text. Marks are given in order.
 */
export type QuotedMarkReader = (mark: ThoughtMark, from: number) => boolean

// A list marker or the mark of a quotation may be before it.
const fenceLine = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,64}|~{3,64})([^`\n]*)$/gm

/**
 * Returns the reader of marks in blocks of code. A mark that closes alone on its line ends thoughts with a block that was left open:
 * another block begins after it, or none ends.
 */
export function createFenceReader(text: string): QuotedMarkReader {
  const lines = Array.from(text.matchAll(fenceLine), ({ index: at, 1: fence = '', 2: info = '' }) => {
    return { at, fence, isBare: info.trim() === '' }
  })
  let next = 0
  let begin = 0
  let open: { fence: string; marks: number } | undefined
  return ({ start, opens, beginsLine, endsLine }, from) => {
    if (from !== begin) {
      open = undefined
      begin = from
    }
    for (let line = lines[next]; line && line.at < start; line = lines[++next]) {
      if (line.at < from) continue
      if (!open) open = { fence: line.fence, marks: 0 }
      else if (line.isBare && line.fence.startsWith(open.fence)) open = undefined
    }
    if (!open) return false
    const isOfCode = opens || open.marks > 0
    open.marks += opens ? 1 : isOfCode ? -1 : 0
    const ending = lines[next]
    const isLeftOpen = ending === undefined || !ending.isBare
    return isOfCode || !(beginsLine && endsLine && isLeftOpen)
  }
}

/** Returns the reader of marks in a value of JSON, such as in a text of it. */
export function createDataReader(text: string): QuotedMarkReader {
  const { values } = findValues(text)
  let next = 0
  return ({ start }, from) => {
    while ((values[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    const value = values[next]
    return value !== undefined && value.start >= from && value.start < start
  }
}

/** First words of a line of code, with which prose hardly begins. */
const codeWords = ['def', 'async def', 'class', 'import', 'function', 'async function', 'const', 'export']
const codeLine = new RegExp(`(?:${codeWords.join('|')}) [\\w$*{]|"""|'''|#!|//|/\\*|@\\w`, 'y')
const comment = /^[ \t]*(?:#|\/\/|\/?\*)/
/** What begins and ends a string of several lines. */
const longQuote = /"""|'''|`/g
/** Most characters of a line before a mark that are looked at. */
const longestLook = 500

/** Returns the reader of marks in comments and strings of code without a fence. */
export function createBareCodeReader(text: string): QuotedMarkReader {
  let begin = -1
  let at = 0
  let isCode = false
  let open: string | undefined
  return ({ start }, from) => {
    if (from !== begin) {
      begin = from
      at = from
      open = undefined
      codeLine.lastIndex = startOfText(text, from)
      isCode = codeLine.test(text)
    }
    if (!isCode) return false
    for (const [quote] of text.slice(at, start).matchAll(longQuote))
      if (open === undefined) open = quote
      else if (open === quote) open = undefined
    at = start
    const line = text
      .slice(Math.max(from, start - longestLook), start)
      .split('\n')
      .at(-1) as string
    return open !== undefined || comment.test(line)
  }
}

/** Returns where the first character stands that is no white space. */
function startOfText(text: string, from: number): number {
  const sign = /\S/g
  sign.lastIndex = from
  return sign.exec(text)?.index ?? text.length
}
