import { safeText } from '../words/safe-text.ts'

const usual = { head: 8, tail: 8, width: 400 }
const brief = { head: 4, tail: 3, width: 160 }

/** How much of each text is told: its beginning and end, all of it, or less than usual. */
export interface ExcerptSize {
  full?: boolean
  brief?: boolean
}

/** A text with a bar before each line, neutralised. Unless all is wanted, its middle is left out, and it says so. */
export function quoteText(text: string, indent: string, extent: ExcerptSize): string {
  const lines = safeText(text).replace(/\n+$/, '').split('\n')
  return excerptLines(lines, extent)
    .map((line) => `${indent}| ${line}`.trimEnd())
    .join('\n')
}

/** The first and the last lines, and how many stood between; long lines are cut, and say so. */
export function excerptLines(lines: readonly string[], extent: ExcerptSize): string[] {
  if (extent.full) return [...lines]
  const shown = extent.brief ? brief : usual
  const short = lines.map((line) => shortenLine(line, shown.width))
  const between = lines.length - shown.head - shown.tail
  // Leaving out a line or two would save nothing.
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
