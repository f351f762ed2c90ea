// Scripts that put no spaces between words, or that join words and endings.
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const joined = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}ー]`
const isJoined = new RegExp(joined, 'u')
const runs = new RegExp(
  `${joined}(?:${joined}|\\p{M})*|(?!${joined})[\\p{L}\\p{N}](?:(?!${joined})[\\p{L}\\p{N}\\p{M}])*|\\p{RI}{2}|\\p{Extended_Pictographic}`,
  'gu',
)

/** Where terms are from: a text that is searched, or a query. */
export type Side = 'text' | 'query'

/**
 * Returns the terms of a text in any language: words, with the parts of `camelCase`; pairs of neighbours where a script does not divide
 * words by spaces; and each emoji. No dictionary of the machine is used, so they are the same on every machine.
 */
export function termsOf(text: string, side: Side): string[] {
  return Array.from(text.normalize('NFKC').matchAll(runs), ([run]) =>
    isJoined.test(run) ? pairsOf([...run.toLowerCase()], side) : wordsOf(run),
  ).flat()
}

/** Whether a term of a query also finds the terms that begin with it. */
export const findsLonger = (term: string): boolean => term.length >= 3 || isJoined.test(term)

function wordsOf(run: string): string[] {
  const parts = run.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)
  const terms = parts.length > 1 ? [run, ...parts] : [run]
  return terms.map((term) => term.toLowerCase())
}

/** The last character of a text is a term, too, so that a query of one character finds it. */
function pairsOf(characters: readonly string[], side: Side): string[] {
  const pairs = characters.slice(1).map((one, i) => `${characters[i]}${one}`)
  return side === 'text' || pairs.length === 0 ? [...pairs, ...characters.slice(-1)] : pairs
}
