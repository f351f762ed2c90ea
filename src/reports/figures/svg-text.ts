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

/** Estimates the width of a text in pixels, in the widest of the fonts that figures name. */
export function widthOf(text: string, size: number): number {
  let width = 0
  for (const character of text) width += (character.codePointAt(0) as number) > 0x10ff ? 1.1 : 0.58
  return width * size
}

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
      lines.push([...rest].slice(0, length).join(''))
      rest = [...rest].slice(length).join('')
    }
    line = rest
  }
  return line === '' ? lines : [...lines, line]
}
