import stringWidth from 'string-width'

/** Returns the columns that a text takes in a terminal: two for a wide character, none for a mark on another one. */
export function displayWidth(text: string): number {
  return isPlain(text) ? text.length : chunksOf(text).reduce((sum, chunk) => sum + stringWidth(chunk), 0)
}

/** Appends spaces up to a width. */
export const padEnd = (text: string, width: number): string => text + spaces(width - displayWidth(text))

/** Prepends spaces up to a width. */
export const padStart = (text: string, width: number): string => spaces(width - displayWidth(text)) + text

/** Splits a text into pieces of at most `width` columns each; a single character may be wider. */
export function cutToWidth(text: string, width: number): string[] {
  if (isPlain(text)) {
    const size = Math.max(1, width)
    return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      text.slice(i * size, (i + 1) * size),
    )
  }
  const pieces: string[] = []
  let [piece, used] = ['', 0]
  for (const segment of chunksOf(text).flatMap(clustersOf)) {
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

const segmenter = new Intl.Segmenter()
const clustersOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

// The time of finding clusters grows with the square of a text, so a long one is taken in parts.
const chunksOf = (text: string): string[] => text.match(/.{1,200}/gsu) ?? []

// Counting clusters is slow, and most texts have only printable ASCII.
const isPlain = (text: string) => /^[ -~]*$/.test(text)
