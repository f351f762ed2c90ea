/** A part of a text file, with its place. */
export interface Passage {
  /** The nearest Markdown heading above it, or its own; empty without one. */
  heading: string
  text: string
  /** Its first and last line, from 1. */
  from: number
  to: number
}

/** The longest passage, in characters. A longer one is divided at the end of a line, or else of a word. */
export const longestPassage = 2_000

const heading = /^ {0,3}#{1,6}[ \t]+(\S.*?)[ \t]*#*[ \t]*$/

/** Divides a text into passages: blank lines end one, and so does a Markdown heading, which begins the next. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = []
  let title = ''
  let lines: string[] = []
  let from = 1
  let hasText = false
  const end = () => {
    if (lines.length > 0) passages.push(...divided({ heading: title, lines, from }))
    lines = []
    hasText = false
  }
  text.split(/\r\n?|\n/).forEach((line, i) => {
    const [, named] = heading.exec(line) ?? []
    const isBlank = line.trim() === ''
    if (named !== undefined || (isBlank && hasText)) end()
    if (named !== undefined) title = named
    else if (isBlank) return
    else hasText = true
    if (lines.length === 0) from = i + 1
    // Blank lines between a heading and its text.
    while (from + lines.length < i + 1) lines.push('')
    lines.push(line)
  })
  end()
  return passages
}

function divided({ heading, lines, from }: { heading: string; lines: string[]; from: number }): Passage[] {
  const parts: Passage[] = []
  lines.forEach((line, i) => {
    for (const piece of piecesOf(line)) {
      const last = parts.at(-1)
      const at = from + i
      if (last && last.text.length + 1 + piece.length <= longestPassage && last.to < at) {
        last.text += `\n${piece}`
        last.to = at
      } else parts.push({ heading, text: piece, from: at, to: at })
    }
  })
  return parts
}

/** Cuts a line into pieces of at most the longest passage, after a blank where the last fifth has one, and in no character. */
function piecesOf(line: string): string[] {
  const pieces: string[] = []
  let rest = line
  while (rest.length > longestPassage) {
    const blank = rest.lastIndexOf(' ', longestPassage - 1) + 1
    const isPair = /[\uD800-\uDBFF]/.test(rest[longestPassage - 1] ?? '')
    const cut = blank > longestPassage * 0.8 ? blank : longestPassage - (isPair ? 1 : 0)
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...pieces, rest]
}
