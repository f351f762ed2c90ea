import type { FileHeading } from './scan-fences.ts'

/** A part of a text, from one offset to another. */
export interface Span {
  start: number
  end: number
}

/** Where a region of a reply lies. */
export interface Place extends Span {
  /** The first line, and the line behind the last; from 0. */
  firstLine: number
  endLine: number
  /** The regions within it, in order. */
  children: readonly Region[]
}

/** A fenced block. Its place begins at the heading of its file, if it has one. */
export interface Fence extends Place {
  kind: 'fence'
  info: string
  content: string
  isClosed: boolean
  /** Whether its end is in doubt: the fences of a file do not come in pairs. */
  isUnclear: boolean
  /** The `FILE:` line to which the block belongs. */
  owner: FileHeading | undefined
  /** Whether that line stands within the block, as its first one. */
  isOwnedWithin: boolean
}

/** A `FILE:` or `DELETE:` line without a block. */
interface FileLine extends Place {
  kind: 'file'
  heading: FileHeading
}

/** A fence around other blocks, such as a block of Markdown. */
interface Wrapper extends Place {
  kind: 'wrapper'
  isClosed: boolean
}

/** Any other region. */
interface PlainRegion extends Place {
  /**
   * `thoughts` with their marks; `stray`: a fence that opens and closes nothing; `call`: the text of a call of a tool; `maths`: a
   * formula, with its marks, within a region of text.
   */
  kind: 'thoughts' | 'stray' | 'call' | 'quote' | 'table' | 'list' | 'heading' | 'prose' | 'maths'
}

/** A part of a reply. */
export type Region = Fence | FileLine | Wrapper | PlainRegion

/** A reply, divided. Lines between regions are empty. */
export interface ScannedReply {
  text: string
  lines: readonly string[]
  regions: readonly Region[]
}

/** Returns the regions outside of thoughts in order, with those within a fence around them between two strays. */
export function partsOf(regions: readonly Region[]): Region[] {
  return regions.flatMap((region) => {
    if (region.kind === 'thoughts') return []
    if (region.kind !== 'wrapper') return [region]
    const { firstLine, endLine, isClosed } = region
    const stray = { ...region, kind: 'stray', children: [] } as const
    const close = { ...stray, firstLine: endLine - 1 }
    return [{ ...stray, endLine: firstLine + 1 }, ...partsOf(region.children), ...(isClosed ? [close] : [])]
  })
}

/** A line of a reply: its text, its number and where it begins. */
export interface Line {
  text: string
  number: number
  start: number
}

type TextKind = 'quote' | 'table' | 'list' | 'heading' | 'prose'

const listItem = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+\S/
const heading = /^ {0,3}#{1,6}[ \t]+\S/
const tableRow = /^[ \t]*\|.*\|[ \t]*$/

function kindOf(text: string, before: TextKind | undefined): TextKind {
  if (/^[ \t]{0,3}>/.test(text)) return 'quote'
  if (tableRow.test(text)) return 'table'
  if (heading.test(text)) return 'heading'
  if (listItem.test(text) || (before === 'list' && /^[ \t]{2,}\S/.test(text))) return 'list'
  return 'prose'
}

/** Divides lines between the blocks of a reply into paragraphs, lists, tables, quotes and headings. An empty line ends each. */
export function scanLines(lines: readonly Line[]): Region[] {
  const regions: Region[] = []
  let run: Line[] = []
  let kind: TextKind | undefined
  const finish = () => {
    if (kind !== undefined) regions.push(regionOf(kind, run))
    run = []
    kind = undefined
  }
  for (const line of lines) {
    const next = line.text.trim() === '' ? undefined : kindOf(line.text, kind)
    if (next !== kind || next === 'heading') finish()
    if (next !== undefined) run.push(line)
    kind = next
  }
  finish()
  return regions
}

function regionOf(kind: TextKind, run: readonly Line[]): Region {
  const [first, last] = [run[0] as Line, run.at(-1) as Line]
  const text = run.map((line) => line.text).join('\n')
  return {
    kind,
    start: first.start,
    end: last.start + last.text.length,
    firstLine: first.number,
    endLine: last.number + 1,
    children: findMaths(text, first),
  }
}

const opener = /\\?\$\$?|\\[[(]/g
const closers: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]', '\\(': '\\)' }

/** Finds the formulas of a text: `$x$`, `$$x$$`, `\(x\)`, `\[x\]`. A dollar before a number is money, unless one closes it. */
function findMaths(text: string, { start, number }: Line): Region[] {
  const found: Region[] = []
  const never = new Set<string>()
  let line = number
  let counted = 0
  const lineAt = (at: number) => {
    for (; counted < at; counted++) if (text[counted] === '\n') line++
    return line
  }
  opener.lastIndex = 0
  for (let match = opener.exec(text); match; match = opener.exec(text)) {
    const [mark] = match
    if (mark.length > 1 && mark.startsWith('\\$')) continue
    const from = match.index + mark.length
    const end =
      mark === '$'
        ? endOfDollars(text, from)
        : never.has(mark)
          ? -1
          : text.indexOf(closers[mark] as string, from)
    if (end < 0) {
      if (mark !== '$') never.add(mark)
      continue
    }
    const behind = end + mark.length
    const firstLine = lineAt(match.index)
    found.push({
      kind: 'maths',
      start: start + match.index,
      end: start + behind,
      firstLine,
      endLine: lineAt(behind) + 1,
      children: [],
    })
    opener.lastIndex = behind
  }
  return found
}

/** Returns the index of the dollar that closes a formula in its line; -1 if none does. */
function endOfDollars(text: string, from: number): number {
  if (/\s/.test(text[from] ?? ' ')) return -1
  const rest = text.slice(from, from + 300)
  const match = /^(?:\\.|[^\\$\n])*\$/.exec(rest)
  if (!match) return -1
  const end = from + match[0].length - 1
  return /\s/.test(text[end - 1] ?? '') || /\d/.test(text[end + 1] ?? '') ? -1 : end
}
