import { printableText } from './latex-text.ts'

/** Widths of characters of Computer Modern Roman at 10 points, in em, rounded up. */
const widths = new Map(
  (
    [
      [0.28, "il.,:;!'`[]|"],
      [0.31, 'fj'],
      [0.34, ' -'],
      [0.37, 'I_'],
      [0.4, 'rst()'],
      [0.45, 'cez'],
      [0.5, 'ago0123456789/?$*^~{}\\'],
      [0.53, 'kqvxyJ"'],
      [0.56, 'bdhnpuS'],
      [0.63, 'LZ'],
      [0.69, 'EFP'],
      [0.74, 'BCRTw'],
      [0.78, 'ADGHKNOQUVXY+=<>&@−×±≥≤'],
      [0.84, 'm%#'],
      [1.03, 'MW'],
    ] as const
  ).flatMap(([width, characters]) => [...characters].map((character) => [character, width] as const)),
)

/** Returns the width of a text in points, in LaTeX's usual font of this size in points; a little too great rather than too small. */
export function textWidth(text: string, size: 8 | 9): number {
  let width = 0
  for (const character of printableText(text)) width += widths.get(character) ?? widestLetter
  // Smaller fonts are wider in proportion.
  return width * size * (size === 9 ? 1.03 : 1.065)
}

/** Of the letters with accents, and of signs. */
const widestLetter = 1.03

/** Breaks a text into lines of at most `most` characters: at spaces and signs, in a longer word anywhere. */
export function breakText(text: string, most: number): string[] {
  const pieces = printableText(text).split(/(?<=[\s\-/,:_\]])|(?=[=[])/)
  const lines: string[] = []
  let line = ''
  for (const piece of pieces.flatMap((whole) => cut(whole, most))) {
    if (line !== '' && [...`${line}${piece.trimEnd()}`].length > most) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  return [...lines, line.trimEnd()]
}

function cut(piece: string, most: number): string[] {
  const characters = [...piece]
  const parts = Math.max(1, Math.ceil(characters.length / most))
  return Array.from({ length: parts }, (_, i) => characters.slice(i * most, (i + 1) * most).join(''))
}
