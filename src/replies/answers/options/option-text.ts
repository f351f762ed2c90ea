const longestText = 2000
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Returns the letter of an option: A for the first. */
export const optionLetter = (index: number): string => (letters[index] ?? String(index + 1)).toUpperCase()

/** Returns the index of the option that has a letter, in either case; -1 if none has it. */
export function indexOfLetter(letter: string, options: readonly string[]): number {
  const index = letters.indexOf(letter.toLowerCase())
  return index < options.length ? index : -1
}

/** Returns a text without marks and LaTeX commands, in composed letters, with single spaces. Its case stays. */
export function plainText(text: string): string {
  return text
    .slice(0, longestText)
    .normalize('NFC')
    .replace(
      /\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt)|mbox|[fc]?boxed|fbox|emph)\s?(?=\{)/g,
      '',
    )
    .replace(/\{\s?(and|or|und|oder|,)\s?\}/gi, ' $1 ')
    .replace(/\\[()[\]]|[*_`"“”$]/g, '')
    .replace(/<(b|strong|i|em|u|code|mark)>(.*?)<\/\1>/gi, '$2')
    .replace(/\\[,;!]|~/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns a text in the form in which it is compared with options. */
export function comparableText(text: string): string {
  return plainText(text)
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/^\{([^{}]*)\}$/, '$1')
    .replace(/[.!]$/, '')
    .trim()
}

/** Returns the index of the only option whose text is a text. */
export function optionByText(comparable: string, options: readonly string[]): number | undefined {
  const [index, ...others] = options.flatMap((option, i) =>
    comparableText(option) === comparable ? [i] : [],
  )
  return others.length === 0 ? index : undefined
}

/** The longest option text with which a text begins, as whole words. Options that differ by case or marks alone share it. */
interface BegunOption {
  indexes: readonly number[]
  length: number
}

/** Returns the longest option text with which a text begins. */
export function optionAtStart(comparable: string, options: readonly string[]): BegunOption | undefined {
  const begun = options.flatMap((option, index) => {
    const text = comparableText(option)
    const isBegun =
      text !== '' && comparable.startsWith(text) && !continues(text, comparable.slice(text.length))
    return isBegun ? [{ index, length: text.length }] : []
  })
  if (begun.length === 0) return undefined
  const length = Math.max(...begun.map((option) => option.length))
  return { indexes: begun.flatMap((option) => (option.length === length ? [option.index] : [])), length }
}

/** Returns the indexes of the options whose texts stand in a text as whole words. A text within a longer one does not count. */
export function optionsInText(comparable: string, options: readonly string[]): number[] {
  const byLength = options
    .map((option, index) => ({ index, text: comparableText(option) }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => b.text.length - a.text.length)
  let rest = comparable
  const found: number[] = []
  for (const { index, text } of byLength) {
    const parts = splitWords(rest, text)
    if (parts.length > 1) found.push(index)
    rest = parts.join('\n')
  }
  return found
}

/** Splits a text at each place where a word or several words stand. */
function splitWords(text: string, words: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const end = at + words.length
    if (continues(words, text.slice(end, end + 2)) || begins(text.slice(Math.max(0, at - 2), at), words))
      continue
    parts.push(text.slice(from, at))
    from = end
  }
  return [...parts, text.slice(from)]
}

const begins = (before: string, words: string) =>
  /[\p{L}\p{N}]$/u.test(before)
    ? /^[\p{L}\p{N}]/u.test(words)
    : /\d[.,]$|[-−]$/.test(before) && /^\d/.test(words)

/** Whether a text goes on in the word or number with which another ends: `Paris` in `Parisian`, `1` in `1.5`. */
const continues = (text: string, after: string) =>
  /[\p{L}\p{N}]$/u.test(text) &&
  (/^[\p{L}\p{N}]/u.test(after) || (/\d$/.test(text) && /^(?:[.,]\d|%)/.test(after)))
