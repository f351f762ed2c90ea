/** An item of a JSON list as text, with the line of its begin. */
export interface ListItem {
  text: string
  line: number
}

/** Divides the text of one JSON list into the texts of its items, which may be no JSON themselves. */
export interface ListSplitter {
  /** Returns the items that end in this part of the text. */
  feed(part: string): ListItem[]
  /** What keeps the text so far from being one list, and in which line. */
  problem(): { line: number; what: string } | undefined
  /** The length of the item that is open. */
  openLength(): number
}

/** Returns a splitter for a text that comes in parts. Its time is proportional to the text. */
export function createListSplitter(): ListSplitter {
  let depth = 0
  let line = 1
  let begin = 1
  let text = ''
  let [inString, isEscaped, isOpen, hasEnded] = [false, false, false, false]
  let strayLine: number | undefined

  function feed(part: string): ListItem[] {
    const items: ListItem[] = []
    let from = 0
    const finish = (at: number) => {
      if (isOpen) items.push({ text: text + part.slice(from, at), line: begin })
      isOpen = false
      text = ''
    }
    for (let at = 0; at < part.length; at++) {
      const char = part[at] as string
      if (char === '\n') line++
      if (inString) {
        inString = isEscaped || char !== '"'
        isEscaped = !isEscaped && char === '\\'
      } else if (depth === 0) {
        if (char === '[' && !hasEnded) depth = 1
        else if (char.trim() !== '') strayLine ??= line
      } else if (depth === 1 && (char === ',' || char === ']')) {
        finish(at)
        if (char === ']') [depth, hasEnded] = [0, true]
      } else {
        if (!isOpen && char.trim() !== '') [isOpen, begin, from] = [true, line, at]
        if (char === '"') inString = true
        if (char === '[' || char === '{') depth++
        if (char === ']' || char === '}') depth--
      }
    }
    if (isOpen) text += part.slice(from)
    return items
  }

  function problem() {
    if (strayLine !== undefined) return { line: strayLine, what: 'has text outside of its list' }
    if (!hasEnded) return { line: isOpen ? begin : line, what: 'begins what the file does not end' }
    return undefined
  }

  return { feed, problem, openLength: () => text.length }
}
