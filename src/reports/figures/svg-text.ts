import { safeLine } from '../words/safe-text.ts'

/** Returns a name on one line, without characters that XML does not allow. */
export function plainName(name: string): string {
  return safeLine(name).replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd')
}

/** Escapes text for XML elements and attributes. */
export function escapeXml(text: string): string {
  return plainName(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Widths of characters in DejaVu Sans, the widest of the fonts that figures name, in shares of its size. */
const widths: readonly [characters: RegExp, width: number][] = [
  [/[ijl'|]/, 0.34],
  [/[ .,:;!/\\()[\]frtI-]/, 0.42],
  [/[mwMW@%]/, 0.98],
  [/[A-Z+=<>~#&_]/, 0.84],
  [/[a-z0-9]/, 0.64],
  [/[^\u1100-\u{10ffff}]/u, 0.85],
]

/** Estimates the width of a text in pixels, in the widest of the fonts that figures name. */
export function widthOf(text: string, size: number): number {
  let width = 0
  for (const character of text) width += widths.find(([characters]) => characters.test(character))?.[1] ?? 1.1
  return width * size
}

/** Width of every name of a method, in pixels, so that a name is shortened alike in all figures. */
const nameWidth = 165

/** Returns a method's name as all figures show it. */
export const shortName = (name: string, size: number): string => shortenName(name, nameWidth, size)

/** Returns the room that the names of methods need, in pixels. */
export const roomForNames = (rows: readonly { label: string }[], size: number): number =>
  Math.ceil(rows.reduce((most, { label }) => Math.max(most, widthOf(shortName(label, size), size)), 0))

/** Returns a name that fits. A longer one loses its middle, because names differ at their beginnings and ends. */
export function shortenName(name: string, width: number, size: number): string {
  const characters = [...plainName(name)]
  if (widthOf(characters.join(''), size) <= width) return characters.join('')
  for (let kept = characters.length - 1; kept > 2; kept--) {
    const head = Math.ceil(kept / 2)
    const text = `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`
    if (widthOf(text, size) <= width) return text
  }
  return '…'
}

/** Splits a text into as few lines as fit, of about equal length, so that no word stands alone at the end. */
export function balanceText(text: string, width: number, size: number): string[] {
  const lines = wrapText(text, width, size)
  let [low, high] = [width / lines.length, width]
  while (high - low > 4) {
    const middle = (low + high) / 2
    if (wrapText(text, middle, size).length > lines.length) low = middle
    else high = middle
  }
  return wrapText(text, high, size)
}

/** Returns where a word that is too long is broken: after its last sign that joins parts of a name, if that is not far back. */
function breakBefore(characters: readonly string[], most: number): number {
  for (let at = most; at > most / 3; at--) if (/[-=:,;/_.]/.test(characters[at - 1] as string)) return at
  return most
}

/** Splits a text into lines that fit; breaks a word that is too long. */
export function wrapText(text: string, width: number, size: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of plainName(text).split(/ +/)) {
    let rest = word
    if (line !== '' && widthOf(`${line} ${rest}`, size) <= width) {
      line += ` ${rest}`
      continue
    }
    if (line !== '') lines.push(line)
    while (widthOf(rest, size) > width) {
      let length = [...rest].length
      while (length > 1 && widthOf([...rest].slice(0, length).join(''), size) > width) length--
      length = breakBefore([...rest], length)
      lines.push([...rest].slice(0, length).join(''))
      rest = [...rest].slice(length).join('')
    }
    line = rest
  }
  return line === '' ? lines : [...lines, line]
}
