import { canBeInfo, readInfo } from './block-info.ts'
import { endsInFence, type FenceLine, hasStop, withoutIndent, withoutQuotes } from './fence-line.ts'
import { type FileHeading, readHeading } from './file-heading.ts'
import { headingBefore } from './heading-before.ts'
import { followLongStrings } from './long-strings.ts'
import { findClosing, type InnerFence } from './paired-fences.ts'
import { followStringFences, isInDocstring } from './string-fences.ts'

/** A reply that is being scanned. */
export interface Scan {
  lines: readonly string[]
  fences: readonly (FenceLine | undefined)[]
  /** For each line, the next line at or behind it that begins with a fence. */
  nextFence: Int32Array
  /** The fences around other blocks that are still open. */
  wrappers: FenceLine[]
  /** The end of the last quote of each depth. */
  quoteEnds: Map<number, number>
}

// A template of Markdown, such as `a.md.j2`, holds blocks, too.
const markdownFile =
  /\.(?:md|mdx|mdc|markdown|qmd|rmd)(?:\.\w+)?$|(?:^|\/)(?:readme|changelog|contributing)$/i
// Outside of its strings, no file of these holds an opening fence.
const codeFile = /\.(?:py|[cm]?[jt]sx?|java|kt|go|rs|rb|php|cs|c|cc|cpp|h|hpp|css|html?|json)$/i

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

/** Finds where a block ends. Only lines with a fence or with the mark of a quote are looked at. */
export function findEnd(
  scan: Scan,
  open: number,
  fence: FenceLine,
  heading: FileHeading | undefined,
): BlockEnd {
  const { lines, fences, nextFence } = scan
  // Texts hold blocks of their own; code does not, outside of its strings.
  const isMarkdown = readInfo(fence.info).language === 'markdown'
  const isText = isMarkdown || (heading !== undefined && !codeFile.test(heading.written))
  const limit = fence.quotes === 0 ? lines.length : endOfQuote(scan, open, fence.quotes)
  const strings = followLongStrings(lines, open + 1)
  const isPython = readInfo(fence.info).language === 'python' || /\.pyi?$/i.test(heading?.written ?? '')
  const behindString = followStringFences(scan, open, fence, strings)
  const late: number[] = []
  let depth = 0
  // A line such as ` ```. ` closes a longer fence that has no right end.
  let short: number | undefined
  const unclosed = (end: number) =>
    short === undefined ? cutShort(lines, open, end, fence, late) : closedAt(short)
  if (heading && (isMarkdown || markdownFile.test(heading.written))) {
    const paired = endByPairs(scan, { open, limit, fence })
    if (paired) return paired
  }
  for (let at = nextFence[open + 1] as number; at < limit; at = nextFence[at + 1] as number) {
    const found = fences[at] as FenceLine
    // The star before a fence of code is that of a comment.
    if (found.sign !== fence.sign || found.quotes !== fence.quotes || (!isText && found.marker === '*'))
      continue
    if (found.length < fence.length) {
      if (short === undefined && !isText && hasStop(found)) short = at
      continue
    }
    if (found.indent >= fence.indent + 4) {
      if (found.info === '') late.push(at)
      continue
    }
    const behind = isPython ? behindString(at) : undefined
    if (behind !== undefined && behind < limit) {
      at = behind - 1
      continue
    }
    const isOpening = found.info !== '' && canBeInfo(found.info)
    const named = isOpening || depth === 0 ? headingBefore(lines, open, at) : undefined
    if (
      named !== undefined &&
      (isOpening || opensBehindHeading(scan, at, limit, heading !== undefined && !isText))
    )
      return unclosed(named)
    if (isText && isOpening) depth++
    else if (depth > 0) depth--
    else if (!isOpening) {
      if (short === undefined && isInDocstring(scan, at, found, strings)) {
        at = nextFence[at + 1] as number
        continue
      }
      return found.info === '' || short === undefined ? closedAt(at) : closedAt(short)
    } else if (short !== undefined || !strings.isOpenBefore(at)) {
      const paired = heading && short === undefined ? endByPairs(scan, { open, limit, fence }) : undefined
      return paired?.isClosed ? paired : unclosed(at)
    }
  }
  return unclosed(limit)
}

/**
 * Ends a file whose blocks come in pairs at the last fence before the next file that can close it; unclear if none can, though one
 * stands where it could. Undefined if none does.
 */
function endByPairs(
  { lines, fences, nextFence, wrappers }: Scan,
  { open, limit, fence }: { open: number; limit: number; fence: FenceLine },
): BlockEnd | undefined {
  const inner: InnerFence[] = []
  let at = nextFence[open + 1] as number
  for (; at < limit; at = nextFence[at + 1] as number) {
    const found = fences[at] as FenceLine
    if (found.quotes !== fence.quotes || found.indent >= fence.indent + 4) continue
    if (found.sign === fence.sign && found.length < fence.length) continue
    const named = headingBefore(lines, open, at)
    if (named !== undefined) break
    const [above, below] = [at - 1, at + 1].map((line) => (lines[line] ?? '').trim())
    inner.push({ ...found, at, endsText: above !== '' && below === '' })
  }
  // The last fences of a reply may close those around its files.
  if (at >= limit) for (let i = 0; i < wrappers.length && inner.at(-1)?.info === ''; i++) inner.pop()
  const { lines: closing, isDoubtful } = findClosing(inner, fence)
  const last = closing.at(-1)
  if (last !== undefined) return closedAt(last)
  const end = headingBefore(lines, open, at) ?? limit
  return isDoubtful ? { end, next: end, isClosed: false, isUnclear: true } : undefined
}

const closedAt = (line: number): BlockEnd => ({ end: line, next: line + 1, isClosed: true })

/** Ends a block that nothing closes by the rules: at a fence that is indented too far or stands behind code, else at the limit. */
function cutShort(
  lines: readonly string[],
  open: number,
  limit: number,
  fence: FenceLine,
  late: readonly number[],
): BlockEnd {
  const indented = late.at(-1)
  if (late.length % 2 === 1 && indented !== undefined) return closedAt(indented)
  for (let at = open + 1; at < limit; at++) {
    const line = lines[at] ?? ''
    if (!endsInFence(line, fence)) continue
    const last = withoutIndent(line, fence.indent).trimEnd().slice(0, -fence.length).trimEnd()
    return { end: at, next: at + 1, isClosed: true, last }
  }
  const end = withoutDeletions(lines, open + 1, limit)
  return { end, next: end, isClosed: false }
}

/**
 * Whether a fence without an info string behind a `FILE:` line, within an open block, opens that file's block. If no
 * fence closes that block in turn, it closes the open one, whose content ends in such a line, unless that one is a file of code.
 */
function opensBehindHeading(
  { lines, fences, nextFence }: Scan,
  at: number,
  limit: number,
  isCodeFile: boolean,
): boolean {
  const next = nextFence[at + 1] as number
  if (next < limit && fences[next]?.info === '') return true
  return isCodeFile && skipBlank(lines, at + 1) < limit
}

/** Returns the line at which the headings at the end of an open block begin that delete files. */
function withoutDeletions(lines: readonly string[], from: number, limit: number): number {
  let end = limit
  while (
    end > from &&
    (lines[end - 1]?.trim() === '' || readHeading(lines[end - 1] ?? '')?.verb === 'DELETE')
  )
    end--
  let begin = end
  while (begin < limit && lines[begin]?.trim() === '') begin++
  return begin < limit ? end : limit
}

/** Returns the line at which a quote ends. The answer is kept, since one quote may hold many blocks. */
function endOfQuote(scan: Scan, open: number, quotes: number): number {
  const known = scan.quoteEnds.get(quotes)
  if (known !== undefined && known > open) return known
  let at = open + 1
  while (at < scan.lines.length && withoutQuotes(scan.lines[at] ?? '', quotes) !== undefined) at++
  scan.quoteEnds.set(quotes, at)
  return at
}

/** Returns the first line from one on that is not blank. */
export function skipBlank(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.trim() === '') at++
  return at
}
