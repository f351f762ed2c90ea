/** A replacement of a range of a text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Returns a text after edits, which do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let from = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return result + text.slice(from)
}
