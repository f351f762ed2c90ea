import type { Region } from './scan-regions.ts'

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
