import { isBareMarks, stripMarkup } from './markup.ts'

/** A longer text is cut. */
export const longestText = 2000
const longestBlock = 20
const isOpener = (line: string) => /^\s*(?:\\\[|\$\$|[`~]{3,}[\w+-]*)\s*$/.test(line.slice(0, 80))
const anyItem = /^\s{0,9}(?:[-*•+‣]|\d{1,2}[.)]|\(?[A-Za-z][.)])\s/

/**
 * Returns the text under an announcement, and the index of its last line: the next line that holds more than marks. A code block or
 * display math, and a list, are one text, because each of their lines may name an answer.
 */
export function textBelow(
  lines: readonly string[],
  at: number,
  opened: string,
): { text: string; end: number } | undefined {
  let first = at + 1
  let opener = isOpener(opened) ? opened : ''
  for (; first < lines.length && isBareMarks(lines[first] as string); first++)
    if (isOpener(lines[first] as string)) opener = lines[first] as string
  if (first >= lines.length) return undefined
  const until = opener === '' ? endOfList(lines, first) : endOfBlock(lines, first, opener.trim())
  const shown = lines.slice(first, until).map((line) => line.slice(0, longestText))
  return { text: (opener === '' ? shown.map(cutPrefix) : shown).join('\n'), end: until - 1 }
}

function endOfBlock(lines: readonly string[], first: number, opener: string): number {
  const closer = opener === '\\[' ? '\\]' : opener.slice(0, opener.includes('$') ? 2 : 3)
  const end = lines.findIndex((line, i) => i > first && line.trim().startsWith(closer))
  return end < 0 || end - first > longestBlock ? first + 1 : end
}

function endOfList(lines: readonly string[], first: number): number {
  let end = first + 1
  if (!anyItem.test(lines[first] as string)) return end
  while (end < lines.length && end - first < longestBlock && anyItem.test(lines[end] as string)) end++
  return end
}

/** Cuts what makes a line a list item, a heading or a quotation. A number stays: it may be the answer, but for a leading `1.` */
const cutPrefix = (line: string) =>
  line.replace(/^\s{0,9}(?:>\s?)*(?:#{1,6}\s+)?(?:[-*•+‣]\s+|1[.)]\s+(?=[^\d\s]))?/, '')

/** Returns the index of the last line before another that holds more than marks; -1 without one. */
export function lineBefore(lines: readonly string[], before: number): number {
  let at = before - 1
  while (at >= 0 && (isBareMarks(lines[at] as string) || stripMarkup(lines[at] as string) === '')) at--
  return at
}

const fence = /^\s{0,9}(`{3,}|~{3,})([^`]*)$/

/** Returns for each line whether it stands within a fenced code block that is closed. */
export function codeLines(lines: readonly string[]): boolean[] {
  const inCode = lines.map(() => false)
  let opened: { at: number; marks: string } | undefined
  for (const [at, line] of lines.entries()) {
    const [, marks, info = ''] = fence.exec(line.slice(0, 200)) ?? []
    if (marks === undefined) continue
    if (!opened) opened = { at, marks }
    else if (marks.startsWith(opened.marks) && info.trim() === '') {
      inCode.fill(true, opened.at, at + 1)
      opened = undefined
    }
  }
  return inCode
}
