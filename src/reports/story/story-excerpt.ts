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
