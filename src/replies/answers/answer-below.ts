import { isBareMarks } from './markup.ts'

interface TextBelow {
  text: string
  /** The index of its last line. */
  end: number
}

const longestBlock = 20
const longestText = 2000

/**
 * Returns the text under an announcement: the next line that holds more than marks. A code block or display math, and a list,
 * are one text, because each of their lines may name an answer.
 */
export function textBelow(lines: readonly string[], at: number, opened: string): TextBelow | undefined {
  let first = at + 1
  let opener = isOpener(opened) ? opened : ''
  while (first < lines.length && isBareMarks(lines[first] as string)) {
    const line = lines[first] as string
    if (isOpener(line)) opener = line
    first++
  }
  if (first >= lines.length) return undefined
  const until = opener === '' ? endOfList(lines, first) : endOfBlock(lines, first, opener)
  const shown = lines.slice(first, until).map((line) => line.slice(0, longestText))
  const text = opener === '' ? shown.map(cutPrefix).join('\n') : shown.join('\n')
  return { text, end: until - 1 }
}

const isOpener = (line: string) => /^\s*(?:\\\[|\$\$|[`~]{3,}[\w+-]*)\s*$/.test(line.slice(0, 80))

function endOfBlock(lines: readonly string[], first: number, opener: string): number {
  const closer = opener.trim() === '\\[' ? '\\]' : opener.trim().slice(0, opener.includes('$') ? 2 : 3)
  const end = lines.findIndex((line, i) => i > first && line.trim().startsWith(closer))
  return end < 0 || end - first > longestBlock ? first + 1 : end
}

const listItem = /^\s{0,9}(?:[-*•+‣]|\d{1,2}[.)]|\(?[A-Za-z][.)])\s/

function endOfList(lines: readonly string[], first: number): number {
  let end = first + 1
  if (!listItem.test(lines[first] as string)) return end
  while (end < lines.length && end - first < longestBlock && listItem.test(lines[end] as string)) end++
  return end
}

/** Cuts what makes a line a list item, a heading or a quotation. A number stays: it may be the answer, but for a leading `1.` */
const cutPrefix = (line: string) =>
  line.replace(/^\s{0,9}(?:>\s?)*(?:#{1,6}\s+)?(?:[-*•+‣]\s+|1[.)]\s+(?=[^\d\s]))?/, '')
