import { type ChangeObject, diffArrays } from 'diff'
import { safeText } from '../words/safe-text.ts'

const usual = { head: 8, tail: 8, width: 400 }
const brief = { head: 4, tail: 3, width: 160 }

/** How much of each text is shown: its beginning and end by default, all of it, or less. */
export interface ExcerptSize {
  full?: boolean
  brief?: boolean
}

/** Returns the text with a bar before each line and control characters visible. A long text loses its middle, with a mark. */
export function quoteText(text: string, indent: string, extent: ExcerptSize): string {
  const lines = safeText(text).replace(/\n+$/, '').split('\n')
  return excerptLines(lines, extent)
    .map((line) => `${indent}| ${line}`.trimEnd())
    .join('\n')
}

/** Returns the first and last lines with a mark for those between. Long lines are cut, with a mark. */
export function excerptLines(lines: readonly string[], extent: ExcerptSize): string[] {
  if (extent.full) return [...lines]
  const shown = extent.brief ? brief : usual
  const short = lines.map((line) => shortenLine(line, shown.width))
  const between = lines.length - shown.head - shown.tail
  // A mark in place of two lines would save nothing.
  if (between <= 2) return short
  return [
    ...short.slice(0, shown.head),
    `[... ${between} lines left out]`,
    ...short.slice(lines.length - shown.tail),
  ]
}

function shortenLine(line: string, width: number): string {
  const characters = line.length - width
  return characters <= 40 ? line : `${line.slice(0, width)} [... ${characters} characters left out]`
}

interface LineChange {
  sign: '+' | '-'
  text: string
}

/** With more changed lines than this the whole text counts as replaced, because the time grows with their square. */
const mostEdits = 2000

/** Returns the removed and added lines between two texts, in order and as few as possible. */
export function lineDiff(before: string | null, after: string | null): LineChange[] {
  return diffParts(linesOf(before), linesOf(after)).flatMap(changesOf)
}

type Part = Pick<ChangeObject<string[]>, 'added' | 'removed' | 'value'>

const diffParts = (old: string[], now: string[]): Part[] =>
  diffArrays(old, now, { maxEditLength: mostEdits }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ]

const changesOf = ({ added, removed, value }: Part) =>
  added || removed ? value.map((text): LineChange => ({ sign: added ? '+' : '-', text })) : []

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** A line of a diff with context; `~` stands for unchanged lines that are left out. */
interface DiffLine {
  sign: '+' | '-' | ' ' | '~'
  text: string
}

const context = 3

/** Returns the changed lines between two texts with the lines around them; empty if the texts are equal. */
export function contextDiff(before: string | null, after: string | null): DiffLine[] {
  const parts = diffParts(linesOf(before), linesOf(after))
  if (parts.every(({ added, removed }) => !added && !removed)) return []
  return parts.flatMap((part, index): DiffLine[] => {
    if (part.added || part.removed) return changesOf(part)
    const head = index === 0 ? 0 : context
    const tail = index === parts.length - 1 ? 0 : context
    const same = part.value.map((text): DiffLine => ({ sign: ' ', text }))
    const left = same.length - head - tail
    if (left <= 1) return same
    const mark: DiffLine = { sign: '~', text: `[... ${left} equal lines]` }
    return [...same.slice(0, head), mark, ...(tail === 0 ? [] : same.slice(-tail))]
  })
}
