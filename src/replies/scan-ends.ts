import { canBeInfo, type FenceLine, readInfo, withoutIndent } from './scan-fences.ts'
import { type FileHeading, readHeading } from './scan-headings.ts'
import type { Line } from './scan-lines.ts'

/** The lines of a reply that is being scanned, with their fences. */
export interface Rows {
  rows: Line[]
  fences: (FenceLine | undefined)[]
  /** For each line, the next one at or behind it that has a fence, that is no part of a quote, and on which thoughts may begin. */
  nextFence: Int32Array
  nextPlain: Int32Array
  nextThought: Int32Array
  /** The fences around other blocks that are open. */
  wrapped: readonly unknown[]
}

/** Where a block ends. */
interface BlockEnd {
  /** The line behind the content. */
  end: number
  /** The line behind the block. */
  next: number
  isClosed: boolean
  /** A last line of content that the closing fence stands behind. */
  last?: string
  /** Whether it is a file whose fences do not come in pairs, so that its end is in doubt. */
  isUnclear?: boolean
}

// A template of Markdown, such as `a.md.j2`, holds blocks, too.
const markdownFile =
  /\.(?:md|mdx|mdc|markdown|qmd|rmd)(?:\.\w+)?$|(?:^|\/)(?:readme|changelog|contributing)$/i
// Outside of its strings, no file of these holds an opening fence.
const codeFile = /\.(?:py|[cm]?[jt]sx?|java|kt|go|rs|rb|php|cs|c|cc|cpp|h|hpp|css|html?|json)$/i

/** Whether a block holds blocks of its own, as texts do; code does not, outside of its strings. */
export const holdsBlocks = ({ info }: FenceLine, owner: FileHeading | undefined): boolean =>
  readInfo(info).language === 'markdown' || (owner !== undefined && !codeFile.test(owner.written))

/** Finds where a block ends that is opened on a line. Only lines with a fence are looked at. */
export function findEnd(
  scan: Rows,
  open: number,
  fence: FenceLine,
  owner: FileHeading | undefined,
): BlockEnd {
  const { rows, fences, nextFence } = scan
  const isText = holdsBlocks(fence, owner)
  const limit = fence.quotes === 0 ? rows.length : (scan.nextPlain[open + 1] as number)
  const strings = followStrings(scan, open, fence)
  const late: number[] = []
  let depth = 0
  // A line such as ` ```. ` closes a longer fence that has no right end.
  let short: number | undefined
  const unclosed = (end: number) =>
    short === undefined ? cutShort(rows, open, end, fence, late) : closedAt(short)
  if (owner && (readInfo(fence.info).language === 'markdown' || markdownFile.test(owner.written))) {
    const paired = endByPairs(scan, open, limit, fence)
    if (paired) return paired
  }
  for (let at = nextFence[open + 1] as number; at < limit; at = nextFence[at + 1] as number) {
    const found = fences[at] as FenceLine
    // The star before a fence of code is that of a comment.
    if (found.sign !== fence.sign || found.quotes !== fence.quotes || (!isText && found.marker === '*'))
      continue
    if (found.length < fence.length) {
      if (!isText && /^[.,;:!]$/.test(found.info)) short ??= at
      continue
    }
    if (found.indent >= fence.indent + 4) {
      if (found.info === '') late.push(at)
      continue
    }
    const string = isText ? undefined : strings(at)
    if (string?.behind !== undefined && string.behind < limit) {
      at = string.behind - 1
      continue
    }
    const isOpening = canBeInfo(found.info)
    const named = isOpening || depth === 0 ? headingBefore(rows, open, at) : undefined
    if (
      named !== undefined &&
      (isOpening || opensBehindHeading(scan, at, limit, owner !== undefined && !isText))
    )
      return unclosed(named)
    if (isText && isOpening) depth++
    else if (depth > 0) depth--
    else if (!isOpening) return closedAt(found.info === '' ? at : (short ?? at))
    else if (short !== undefined || !string) {
      const paired = owner && short === undefined ? endByPairs(scan, open, limit, fence) : undefined
      return paired?.isClosed ? paired : unclosed(at)
    }
  }
  return unclosed(limit)
}

const closedAt = (line: number): BlockEnd => ({ end: line, next: line + 1, isClosed: true })

/** Returns the line of a `FILE:` heading that stands directly before a line; undefined if there is none. */
function headingBefore(rows: readonly Line[], open: number, at: number): number | undefined {
  let before = at - 1
  while (before > open && rows[before]?.text.trim() === '') before--
  return before > open && readHeading(rows[before]?.text ?? '')?.verb === 'FILE' ? before : undefined
}

/**
 * Whether a fence without an info string behind a `FILE:` line, within an open block, opens that file's block. If no
 * fence closes that block in turn, it closes the open one, whose content ends in such a line, unless that one is a file of code.
 */
function opensBehindHeading(
  { rows, fences, nextFence }: Rows,
  at: number,
  limit: number,
  isCodeFile: boolean,
): boolean {
  const next = nextFence[at + 1] as number
  if (next < limit && fences[next]?.info === '') return true
  return isCodeFile && skipBlank(rows, at + 1) < limit
}

/** Ends a block that nothing closes by the rules: at a fence that is indented too far or stands behind code, else at the limit. */
function cutShort(
  rows: readonly Line[],
  open: number,
  limit: number,
  { sign, length, indent }: FenceLine,
  late: readonly number[],
): BlockEnd {
  if (late.length % 2 === 1) return closedAt(late.at(-1) as number)
  const signs = sign.repeat(length)
  for (let at = open + 1; at < limit; at++) {
    const line = rows[at]?.text.trimEnd() ?? ''
    if (
      !line.endsWith(signs) ||
      line.indexOf(signs) !== line.length - length ||
      line.trim().length === length
    )
      continue
    const last = withoutIndent(line, indent).slice(0, -length).trimEnd()
    return { end: at, next: at + 1, isClosed: true, last }
  }
  // Headings at its end that delete files are no content.
  const isBlank = (at: number) => rows[at]?.text.trim() === ''
  let end = limit
  while (end > open + 1 && (isBlank(end - 1) || readHeading(rows[end - 1]?.text ?? '')?.verb === 'DELETE'))
    end--
  while (end < limit && isBlank(end)) end++
  return { end, next: end, isClosed: false }
}

/**
 * Returns what tells of a line whether a long string of the code is open before it, and the line behind that string if its fences
 * belong to it: the string ends, each file block that begins in it ends in it, and the next fence closes the code with no string open.
 * Lines must be asked for in order.
 */
function followStrings({ rows, fences, nextFence }: Rows, open: number, fence: FenceLine) {
  let next = open + 1
  let quotes: string | undefined
  // One string may hold many fences.
  let known = { end: -1, behind: undefined as number | undefined }
  const closes = (at: number) => fences[at]?.sign === fence.sign && (fences[at]?.length ?? 0) >= fence.length
  const holdsFences = (at: number, end: number) => {
    const close = nextFence[end + 1] as number
    if (close < rows.length && (!closes(close) || fences[close]?.info !== '')) return false
    if (headingBefore(rows, end, close) !== undefined) return false
    let after = quotes
    for (let i = end; i < close; i++) after = quotesBehind(rows[i]?.text ?? '', after)
    let isOpen = false
    for (let i = at; i < end; i = nextFence[i + 1] as number)
      if (closes(i)) isOpen = !isOpen && headingBefore(rows, open, i) !== undefined
    return after === undefined && !isOpen
  }
  return (at: number): { behind: number | undefined } | undefined => {
    for (; next < at; next++) quotes = quotesBehind(rows[next]?.text ?? '', quotes)
    if (quotes === undefined) return undefined
    if (known.end < at) {
      let end = at
      while (end < rows.length && !rows[end]?.text.includes(quotes)) end++
      known = { end, behind: end < rows.length && holdsFences(at, end) ? end + 1 : undefined }
    }
    return known
  }
}

/** Returns the quotes of the long string that is open behind a line. */
function quotesBehind(line: string, before: string | undefined): string | undefined {
  let open = before
  for (const [quotes] of line.matchAll(/"""|'''/g))
    open = open === undefined ? quotes : open === quotes ? undefined : open
  return open
}

/** A fence within a file's block, or behind it up to the next file. */
interface InnerFence extends FenceLine {
  at: number
  opens: boolean
  closes: boolean
}

/**
 * Ends a file whose blocks come in pairs at the last fence before the next file, or before thoughts, that leaves only pairs before it
 * and behind it; unclear if none does, though one stands where it could. Undefined if none could.
 */
function endByPairs(scan: Rows, open: number, limit: number, fence: FenceLine): BlockEnd | undefined {
  const thought = scan.nextThought[open + 1] as number
  const before = thought < limit ? endBefore(scan, open, thought, fence) : undefined
  return before?.isClosed ? before : endBefore(scan, open, limit, fence)
}

function endBefore(scan: Rows, open: number, limit: number, fence: FenceLine): BlockEnd | undefined {
  const { rows, fences, nextFence, wrapped } = scan
  const inner: InnerFence[] = []
  let at = nextFence[open + 1] as number
  for (; at < limit; at = nextFence[at + 1] as number) {
    const found = fences[at] as FenceLine
    if (found.quotes !== fence.quotes || found.indent >= fence.indent + 4) continue
    if (found.sign === fence.sign && found.length < fence.length) continue
    if (headingBefore(rows, open, at) !== undefined) break
    const isBare = !canBeInfo(found.info)
    const [above, below] = [at - 1, at + 1].map((line) => (rows[line]?.text ?? '').trim())
    inner.push({
      ...found,
      at,
      opens: !isBare || above === '' || below !== '',
      closes: isBare && found.marker === '',
    })
  }
  // The last fences of a reply may close those around its files.
  if (at >= limit) for (let i = 0; i < wrapped.length && inner.at(-1)?.info === ''; i++) inner.pop()
  const { last, isDoubtful } = lastClosing(inner, fence)
  if (last !== undefined) return closedAt(last)
  const end = headingBefore(rows, open, at) ?? limit
  return isDoubtful ? { end, next: end, isClosed: false, isUnclear: true } : undefined
}

/** Finds the last fence that may close a block, and whether any fence could if it stood alone. Takes linear time. */
function lastClosing(
  inner: readonly InnerFence[],
  outer: FenceLine,
): { last: number | undefined; isDoubtful: boolean } {
  /** For each fence, the one that closes its block, and whether all from it on come in pairs; the last block may be left open. */
  const closing: (number | undefined)[] = []
  const pairsUp: boolean[] = []
  pairsUp[inner.length] = true
  const closeOf = (i: number) => closing[i] ?? (inner[i]?.sign === outer.sign ? undefined : i)
  for (let i = inner.length - 1; i >= 0; i--) {
    const fence = inner[i] as InnerFence
    const fits = ({ sign, length }: FenceLine) => sign === fence.sign && length >= fence.length
    let at = i + 1
    // What is shorter, or of another sign, is content of the inner block.
    for (let next = inner[at]; next && !(next.closes && fits(next)); next = inner[at]) {
      const isNested = fits(next)
      const behind = isNested ? (isBare(fence) ? undefined : closing[at]) : at
      at = behind === undefined ? inner.length : behind + 1
    }
    if (at < inner.length && fence.opens) closing[i] = at
    const close = closeOf(i)
    pairsUp[i] = close === undefined ? !isBare(fence) : pairsUp[close + 1] === true
  }
  let last: number | undefined
  let isDoubtful = false
  for (let i: number | undefined = 0; i !== undefined && i < inner.length; ) {
    const fence = inner[i] as InnerFence
    if (fence.sign === outer.sign && fence.closes) {
      isDoubtful = true
      if (pairsUp[i + 1]) last = fence.at
    }
    const close = closeOf(i)
    i = close === undefined ? undefined : close + 1
  }
  return { last, isDoubtful }
}

const isBare = ({ info }: FenceLine) => !canBeInfo(info)

/** Returns the first line from one on that is not blank. */
export function skipBlank(rows: readonly Line[], from: number): number {
  let at = from
  while (at < rows.length && rows[at]?.text.trim() === '') at++
  return at
}
