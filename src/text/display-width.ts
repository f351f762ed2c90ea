import stringWidth from 'string-width'

/** Returns the columns that a text takes in a terminal: two for a wide character, none for a mark on another one. */
export function displayWidth(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text)
}

/** Appends spaces up to a width. */
export const padEnd = (text: string, width: number): string => text + spaces(width - displayWidth(text))

/** Prepends spaces up to a width. */
export const padStart = (text: string, width: number): string => spaces(width - displayWidth(text)) + text

/** Splits a text into pieces of at most `width` columns each; a single character may be wider. */
export function cutToWidth(text: string, width: number): string[] {
  const pieces: string[] = []
  let [piece, used] = ['', 0]
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const wide = displayWidth(segment)
    if (piece !== '' && used + wide > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += segment
    used += wide
  }
  return piece === '' ? pieces : [...pieces, piece]
}

const spaces = (count: number) => ' '.repeat(Math.max(0, count))

// Counting clusters is slow, and most texts have only printable ASCII.
const isPlain = (text: string) => /^[ -~]*$/.test(text)
