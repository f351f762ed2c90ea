const fence = /^\s{0,9}(`{3,}|~{3,})([^`]*)$/

/** Returns for each line whether it stands within a fenced code block that is closed. */
export function codeLines(lines: readonly string[]): boolean[] {
  const inCode = lines.map(() => false)
  let opened: { at: number; fence: string } | undefined
  for (const [i, line] of lines.entries()) {
    const [, marks, info = ''] = fence.exec(line.slice(0, 200)) ?? []
    if (marks === undefined) continue
    if (!opened) opened = { at: i, fence: marks }
    else if (marks.startsWith(opened.fence) && info.trim() === '') {
      inCode.fill(true, opened.at, i + 1)
      opened = undefined
    }
  }
  return inCode
}
