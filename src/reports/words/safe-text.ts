import type { TrialRecord } from '../../schema/ledger/record.ts'

// Control characters (except line feed and tab), and marks that change the writing direction: text of a model or a task
// could use them to move the cursor, to recolour or to hide text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Makes control characters visible (`\x1b`), so that a terminal only shows the text. Line feeds and tabs stay. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, visible)
}

/** Makes control characters visible, keeps CRLF, and uses JSON escapes for characters that JSON allows. */
export function escapeForTerminal(text: string): string {
  return text
    .split('\r\n')
    .map((part) => part.replace(unsafe, (found) => (found < ' ' ? visible(found) : escaped(found))))
    .join('\r\n')
}

/** Makes control characters visible, line feeds and tabs included, so that the text is on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : escaped(character)
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns the reason of an outcome, with the place in the user's code if that caused it. */
export function reasonText({
  outcome: { reason },
  wall: { place },
}: Pick<TrialRecord, 'outcome' | 'wall'>): string {
  return place === undefined ? reason : `${reason} (${place})`
}

/** Words in letters that are written from right to left. */
const rightToLeft =
  /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]+(?:[ \p{M}]?[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}])*/gu

/** Puts words that are written from right to left between two marks, so that they do not move the numbers and signs beside them. */
export function isolateWords(text: string, begin: string, end: string): string {
  return text.replace(rightToLeft, (words) => `${begin}${words}${end}`)
}
