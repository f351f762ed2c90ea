import { safeText } from './safe-text.ts'

const shown = { head: 8, tail: 8, width: 400 }

/** A text with a bar before each line, neutralised. Unless `full`, its middle is left out, and it says so. */
export function quoted(text: string, indent: string, { full = false }: { full?: boolean }): string {
  const lines = safeText(text).replace(/\n+$/, '').split('\n')
  return excerpt(lines, full)
    .map((line) => `${indent}| ${line}`.trimEnd())
    .join('\n')
}

/** The first and the last lines, and how many stood between; long lines are cut, and say so. */
export function excerpt(lines: readonly string[], full: boolean): string[] {
  if (full) return [...lines]
  const short = lines.map(shortLine)
  const between = lines.length - shown.head - shown.tail
  // Leaving out a line or two would save nothing.
  if (between <= 2) return short
  return [
    ...short.slice(0, shown.head),
    `[... ${between} lines left out]`,
    ...short.slice(lines.length - shown.tail),
  ]
}

function shortLine(line: string): string {
  const characters = line.length - shown.width
  return characters <= 40 ? line : `${line.slice(0, shown.width)} [... ${characters} characters left out]`
}
