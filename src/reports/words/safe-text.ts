import type { TrialRecord } from '../../schema/ledger/record.ts'

// Control characters (but for line feed and tab), and the marks that turn the direction of writing: what a model or a
// task wrote could use them to move the cursor, to recolour or to hide text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Text that a terminal only shows: control characters become visible (`\x1b`), lines and tabs stay. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, visible)
}

/** The same with line ends as they are, and in a form that JSON reads back where such a character may stand in JSON. */
export function escapeForTerminal(text: string): string {
  return text
    .split('\r\n')
    .map((part) => part.replace(unsafe, (found) => (found < ' ' ? visible(found) : escaped(found))))
    .join('\r\n')
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : escaped(character)
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Why a trial ended as it did, with the place in the user's code where that broke it. */
export function reasonText({
  outcome: { reason },
  wall: { place },
}: Pick<TrialRecord, 'outcome' | 'wall'>): string {
  return place === undefined ? reason : `${reason} (${place})`
}
