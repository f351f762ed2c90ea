const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
  // Some languages of babel make this sign a command.
  '"': '{\\ttfamily\\symbol{34}}',
  '–': '--',
  '—': '---',
  '‘': '`',
  '’': "'",
  '“': '``',
  '”': "''",
  '…': '\\dots{}',
  '−': '$-$',
  '±': '$\\pm$',
  '×': '$\\times$',
  '÷': '$\\div$',
  '·': '$\\cdot$',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '→': '$\\to$',
}

/** Escapes text for LaTeX, in any font encoding. */
export function latexText(text: string): string {
  return [...separateLigatures(printableText(text))]
    .map((character) => commands[character] ?? character)
    .join('')
    .replaceAll(apart, '{}')
}

/**
 * Returns a text of characters that LaTeX can print. Letters of western Europe stay; other characters become their number, such
 * as `U+1F600`, because a character without a glyph would silently vanish from a name.
 */
const printableText = (text: string): string =>
  [...text.normalize('NFC')]
    .map((character) => (isPrintable(character) ? character : codeOf(character)))
    .join('')

const isPrintable = (character: string) =>
  commands[character] !== undefined || (/^[ -~\u00c0-\u00ff]$/.test(character) && !/[ÐðÞþ]/.test(character))

const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

/** A character that is not printable, so no text has it here: LaTeX must not join its neighbours. */
const apart = '\uE000'

/** Keeps signs apart that LaTeX would join to another sign: two hyphens to a dash, two quotes to one. */
const separateLigatures = (text: string) => text.replace(/([-'`,])(?=\1)|[?!](?=`)/g, `$&${apart}`)

/** Escapes words and numbers, with minus signs before numbers: `-29.4` becomes `$-29.4$`, `[-29.4, 6.1]` `[$-$29.4, 6.1]`. */
export function latexNumbers(text: string): string {
  if (text === '-') return '--'
  if (/^-[\d.]+$/.test(text)) return `$${text}$`
  const [, sign, value] = /^(<|>=) ([\d.]+)$/.exec(text) ?? []
  if (sign !== undefined) return `$${sign === '<' ? '<' : '\\ge'} ${value}$`
  return latexText(text.replace(/(?<=^|[\s[(])-(?=[\d.])/g, '−').replace(/(?<=^|\s)>=(?=\s)/g, '≥'))
}

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
