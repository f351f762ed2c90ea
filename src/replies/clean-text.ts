import { wellFormedText } from './well-formed.ts'

/**
 * Returns a text as it is kept: line ends are `\n`, byte order marks at its start are gone, and half of a surrogate pair, which no
 * UTF-8 file can hold, is U+FFFD. Every text of an agent passes here once, before it is journaled.
 */
export function cleanText(text: string): string {
  return wellFormedText(text.replace(/^\uFEFF+/, '').replace(/\r\n?/g, '\n'))
}

const firstHalf = 'u[dD][89abAB][\\da-fA-F]{2}'
const secondHalf = 'u[dD][c-fC-F][\\da-fA-F]{2}'
/** An escape of JSON: a whole pair, a half without its partner (the group), or any other. */
const anyEscape = new RegExp(
  `\\\\(?:${firstHalf}\\\\${secondHalf}|(${firstHalf}|${secondHalf})|[\\s\\S])`,
  'g',
)

/** Returns a text of JSON, such as a call's arguments, in which also the escaped halves of pairs (`\ud83d`) are U+FFFD. */
export function cleanJson(json: string): string {
  return cleanText(json).replace(anyEscape, (written, half: string | undefined) =>
    half === undefined ? written : '\\ufffd',
  )
}
