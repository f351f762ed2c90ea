import { cutToWidth, displayWidth } from '../../text/display-width.ts'

/**
 * Splits a command into lines of at most `width` columns that a shell reads as one command: at spaces, each line with a
 * backslash at its end. A longer word is split without an indent, since the shell joins its parts; a quoted one stays whole.
 */
export function commandLines(command: string, width: number, indent = ''): string[] {
  if (displayWidth(indent + command) <= width) return [indent + command]
  if (/['"]/.test(command)) return [indent + command]
  const lines: string[] = []
  let line = indent
  for (const word of command.split(' ')) {
    const isFirst = line.trim() === ''
    const longer = isFirst ? line + word : `${line} ${word}`
    if (displayWidth(longer) + 2 <= width) {
      line = longer
      continue
    }
    if (!isFirst) lines.push(`${line} \\`)
    const [first = '', ...rest] = cutToWidth(word, width - displayWidth(indent) - 2)
    line = indent + first
    for (const piece of rest) {
      lines.push(`${line}\\`)
      line = piece
    }
  }
  return [...lines, line]
}
