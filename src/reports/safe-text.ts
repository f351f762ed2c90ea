// Control characters (but for line feed and tab), and the marks that turn the direction of writing: what a model or a
// task wrote could use them to move the cursor, to recolour or to hide text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Text that a terminal only shows: control characters become visible (`\x1b`), lines and tabs stay. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, visible)
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}
