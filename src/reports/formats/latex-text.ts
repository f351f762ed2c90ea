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
export const printableText = (text: string): string =>
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
