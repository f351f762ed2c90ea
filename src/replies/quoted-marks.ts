import { readInfo } from './blocks/block-info.ts'
import { findValues } from './data/find-values.ts'
import type { ThoughtMark } from './thought-marks.ts'

/**
 * Says whether a mark belongs to code or data of the answer, which begins at `from`: then it is text. Marks are given in order.
 */
type QuotedMarkReader = (mark: ThoughtMark, from: number) => boolean

// A list marker or the mark of a quotation may be before it.
const fenceLine = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,64}|~{3,64})([^`\n]*)$/gm

/** A line with a fence. */
interface Fence {
  at: number
  fence: string
  isBare: boolean
  /** Whether it opens a text that may hold blocks of its own. */
  isText: boolean
}

/** A block of code that is open, and the index of the next fence that may end it. */
interface OpenBlock extends Fence {
  marks: number
  depth: number
  ending: number
}

/**
 * Returns the reader of marks in blocks of code. A mark that closes thoughts with a block that was left open is no text: no fence ends
 * that block behind it, or another block begins.
 */
export function createFenceReader(text: string, marks: readonly ThoughtMark[]): QuotedMarkReader {
  const fences = fencesOf(text, marks)
  const pairsUp = new Array<boolean>(fences.length).fill(false)
  for (let i = fences.length - 2; i >= 0; i--)
    pairsUp[i] = isBareAt(fences, i + 1) && pairsUp[i + 2] !== false
  let next = 0
  let begin = 0
  let open: OpenBlock | undefined
  return (mark, from) => {
    if (from !== begin) {
      open = undefined
      begin = from
    }
    for (let line = fences[next]; line && line.at < mark.start; line = fences[++next])
      if (line.at >= from) open = open ? within(open, line) : { ...line, marks: 0, depth: 0, ending: 0 }
    if (!open) return false
    const isOfCode = mark.opens || open.marks > 0
    open.marks += mark.opens ? 1 : isOfCode ? -1 : 0
    if (isOfCode) return true
    open.ending = Math.max(open.ending, next)
    while (open.ending < fences.length && !fences[open.ending]?.fence.startsWith(open.fence)) open.ending++
    return !endsThoughts(mark, open, fences.length - next)
  }

  /** Whether a mark that closes ends thoughts, though a block is open: it was left open. */
  function endsThoughts(mark: ThoughtMark, { ending, isText }: OpenBlock, behind: number): boolean {
    const isAlone = (mark.beginsLine && mark.endsLine) || mark.touchesFence
    const isAtEdge = isAlone || mark.beginsLine || (mark.endsLine && behind > 0)
    // Each block behind it has two fences. One more ends a text that holds blocks of its own.
    if (isText) return isAlone && behind % 2 === 0
    return isAtEdge && (!isBareAt(fences, ending) || pairsUp[ending] === true)
  }
}

const isBareAt = (fences: readonly Fence[], at: number) => fences[at]?.isBare === true

/** Finds the fences of a text. A mark is no part of a fence that stands beside it on its line. */
function fencesOf(text: string, marks: readonly ThoughtMark[]): Fence[] {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of marks) {
    parts.push(text.slice(from, start), '\n'.repeat(end - start))
    from = end
  }
  const lines = parts.join('') + text.slice(from)
  return Array.from(lines.matchAll(fenceLine), ({ index: at, 1: fence = '', 2: info = '' }) => {
    return { at, fence, isBare: info.trim() === '', isText: readInfo(info.trim()).language === 'markdown' }
  })
}

/** Returns the block that is open behind a fence within another. */
function within(open: OpenBlock, { fence, isBare }: Fence): OpenBlock | undefined {
  if (!isBare && open.isText) open.depth++
  else if (isBare && open.depth > 0) open.depth--
  else if (isBare && fence.startsWith(open.fence)) return undefined
  return open
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
/** What begins and ends a string of several lines; a fence is none. */
const longQuote = /"""|'''|(?<!`)`(?!`)/g
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
