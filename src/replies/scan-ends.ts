import { canBeInfo, type FenceLine, readInfo, withoutIndent } from './scan-fences.ts'
import { type FileHeading, readHeading } from './scan-headings.ts'
import { type BlockEnd, closedAt, endByPairs, headingBefore, type Rows, skipBlank } from './scan-pairs.ts'
import type { Lines } from './scan-regions.ts'

// A template of Markdown, such as `a.md.j2`, holds blocks, too.
const markdownFile =
  /\.(?:md|mdx|mdc|markdown|qmd|rmd)(?:\.\w+)?$|(?:^|\/)(?:readme|changelog|contributing)$/i
// Outside of its strings, no file of these holds an opening fence.
const codeFile = /\.(?:py|[cm]?[jt]sx?|java|kt|go|rs|rb|php|cs|c|cc|cpp|h|hpp|css|html?|json)$/i

/** Whether a block holds blocks of its own, as texts do; code does not, outside of its strings. */
const holdsBlocks = ({ info }: FenceLine, owner: FileHeading | undefined): boolean =>
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
  const limit = fence.quotes === 0 ? rows.count() : (scan.nextPlain[open + 1] as number)
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
  rows: Lines,
  open: number,
  limit: number,
  { sign, length, indent }: FenceLine,
  late: readonly number[],
): BlockEnd {
  if (late.length % 2 === 1) return closedAt(late.at(-1) as number)
  const signs = sign.repeat(length)
  for (let at = open + 1; at < limit; at++) {
    const line = rows.text(at).trimEnd() ?? ''
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
  const isBlank = (at: number) => rows.text(at).trim() === ''
  let end = limit
  while (end > open + 1 && (isBlank(end - 1) || readHeading(rows.text(end - 1))?.verb === 'DELETE')) end--
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
    if (close < rows.count() && (!closes(close) || fences[close]?.info !== '')) return false
    if (headingBefore(rows, end, close) !== undefined) return false
    let after = quotes
    for (let i = end; i < close; i++) after = quotesBehind(rows.text(i), after)
    let isOpen = false
    for (let i = at; i < end; i = nextFence[i + 1] as number)
      if (closes(i)) isOpen = !isOpen && headingBefore(rows, open, i) !== undefined
    return after === undefined && !isOpen
  }
  return (at: number): { behind: number | undefined } | undefined => {
    for (; next < at; next++) quotes = quotesBehind(rows.text(next), quotes)
    if (quotes === undefined) return undefined
    if (known.end < at) {
      let end = at
      while (end < rows.count() && !rows.text(end).includes(quotes)) end++
      known = { end, behind: end < rows.count() && holdsFences(at, end) ? end + 1 : undefined }
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
