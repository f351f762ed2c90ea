import { cutToWidth, displayWidth } from './display-width.ts'

/** Words up to this length are never split at a joint. */
const shortWord = 12

/**
 * Splits a text into lines of at most `width` columns: at spaces, else behind a joint of a long word (`self-consistency=`), else
 * anywhere. An empty text is one empty line.
 */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = []
  let [line, used] = ['', 0]
  for (const word of text.split(' ')) {
    const isFirst = line === '' && lines.length === 0 && used === 0
    const wide = displayWidth(word)
    if (line !== '' && used + 1 + wide <= width) {
      line += ` ${word}`
      used += 1 + wide
      continue
    }
    if (!isFirst && line !== '') lines.push(line)
    const pieces = wide <= width ? [word] : splitWord(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
    used = displayWidth(line)
  }
  return [...lines, line]
}

/** Returns the width of the widest part of a text that `wrapWords` keeps whole wherever it can. */
export function longestPart(text: string): number {
  return text
    .split(' ')
    .flatMap((word) => (displayWidth(word) > shortWord ? joints(word) : [word]))
    .reduce((most, part) => Math.max(most, displayWidth(part)), 0)
}

/** Splits a word that is wider than a line, with as few pieces as the joints allow. */
function splitWord(word: string, width: number): string[] {
  const pieces: string[] = []
  let [piece, used] = ['', 0]
  for (const part of joints(word)) {
    const wide = displayWidth(part)
    if (used + wide <= width) {
      piece += part
      used += wide
      continue
    }
    if (piece !== '') pieces.push(piece)
    const cut = wide <= width ? [part] : cutToWidth(part, width)
    pieces.push(...cut.slice(0, -1))
    piece = cut.at(-1) ?? ''
    used = displayWidth(piece)
  }
  return piece === '' ? pieces : [...pieces, piece]
}

// Words that a no-break space joins belong together.
const joints = (word: string): string[] =>
  word.includes('\u00a0') ? [word] : (word.match(/[^-=/,:@[_]*[-=/,:@[_]|[^-=/,:@[_]+/g) ?? [word])
