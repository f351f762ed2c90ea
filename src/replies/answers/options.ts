import { letters, says } from './phrases.ts'

const longestText = 2000
const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** Returns the letter of an option: A for the first. */
export const optionLetter = (index: number): string => (alphabet[index] ?? String(index + 1)).toUpperCase()

/** Returns the index of the option that has a letter, in either case; -1 if none has it. */
export function indexOfLetter(letter: string, options: readonly string[]): number {
  const index = alphabet.indexOf(letter.toLowerCase())
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
    .replace(/^(?:\.\.\.|…)\s?(?=\S)/, '')
    .trim()
}

/** Returns a text in the form in which it is compared with options. */
export const comparableText = (text: string): string =>
  plainText(text)
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/^\{([^{}]*)\}$/, '$1')
    .replace(/[.!]$/, '')
    .trim()

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
  const length = Math.max(0, ...begun.map((option) => option.length))
  return length === 0
    ? undefined
    : { indexes: begun.flatMap((one) => (one.length === length ? [one.index] : [])), length }
}

/** A place where a text names an option. */
interface Mention {
  index: number
  from: number
  to: number
}

/** Returns the places where the texts of options stand in a text as whole words, in order. A text within a longer one does not count. */
export function textMentions(comparable: string, options: readonly string[]): Mention[] {
  const byLength = options
    .map((option, index) => ({ index, text: comparableText(option) }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => b.text.length - a.text.length)
  const found: Mention[] = []
  for (const { index, text } of byLength)
    for (
      let from = comparable.indexOf(text);
      from >= 0;
      from = comparable.indexOf(text, from + text.length)
    ) {
      const to = from + text.length
      const isWhole =
        !continues(text, comparable.slice(to, to + 2)) &&
        !begins(comparable.slice(Math.max(0, from - 2), from), text)
      if (isWhole && !found.some((other) => other.from < to && from < other.to))
        found.push({ index, from, to })
    }
  return found.sort((a, b) => a.from - b.from)
}

const begins = (before: string, words: string) =>
  /[\p{L}\p{N}]$/u.test(before)
    ? /^[\p{L}\p{N}]/u.test(words)
    : /\d[.,]$|[-−]$/.test(before) && /^\d/.test(words)

/** Whether a text goes on in the word or number with which another ends: `Paris` in `Parisian`, `1` in `1.5`. */
const continues = (text: string, after: string) =>
  /[\p{L}\p{N}]$/u.test(text) &&
  (/^[\p{L}\p{N}]/u.test(after) || (/\d$/.test(text) && /^(?:[.,]\d|%)/.test(after)))

/** Returns the places where a text names an option by its letter. Letters of formulas and words (`A`, `I`) do not count. */
export function letterMentions(
  plain: string,
  options: readonly string[],
  how: 'sure' | 'perhaps',
): Mention[] {
  return [...plain.matchAll(letters[how])].flatMap((match) => {
    const index = indexOfLetter(match.slice(1).find((part) => part !== undefined) as string, options)
    return index < 0 ? [] : [{ index, from: match.index, to: match.index + match[0].length }]
  })
}

/** A letter at the begin of a text, and what follows it. */
interface LeadingLetter {
  index: number
  rest: string
  /** Whether it can only be the letter of an option. `A city` begins with a letter that is a word, too. */
  isSure: boolean
}

const wrapped = /^[([{<]{1,3}\s?([a-z])(?:\s?[)\]}>]{1,3}|\s?$)/i
const bare =
  /^([a-z])(?:(\s?[)\]}>.:,;!])|(?=$|[^\p{L}\p{N}'’#+&^%=\\-]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]))/iu

// `H(X) = …`, `E[X]` and `f(x)` are functions, and `F = …` and `F'` are names of formulas. `H (0.0)` and `H(surely)` are remarks.
const argument = /^(\s?)[([{]([^()[\]{}]*)[)\]}]?(.?)/
const operator = /^\s?[=<>≈≤≥≠≡∈∝→+*/|^_'′·×]/

/** Whether a letter with what follows it begins a formula. The text of an option may stand in the bracket. */
function beginsFormula(rest: string, option: string): boolean {
  const own = comparableText(option)
  const isText = (text: string) => own !== '' && comparableText(text).startsWith(own)
  const [whole, space, inside = ''] = argument.exec(rest) ?? []
  if (whole === undefined) return operator.test(rest) && !isText(rest.replace(operator, ''))
  if (operator.test(rest.slice(whole.length - 1))) return true
  return space === '' && !isText(inside) && !/\p{L}{3}/u.test(inside)
}

/** Returns the letter with which a text begins: `B`, `(B)`, `b)`, `[B]`, `option B`, `B because …`. */
export function leadingLetter(plain: string, options: readonly string[]): LeadingLetter | undefined {
  const prefix = says.leadIn.exec(plain)?.[0] ?? ''
  const text = plain.slice(prefix.length)
  const inMarks = wrapped.exec(text)
  const match = inMarks ?? bare.exec(text)
  const index = indexOfLetter(match?.[1] ?? '', options)
  if (!match?.[1] || index < 0) return undefined
  const rest = text.slice(match[0].replace(/[.:,;!]$/, '').length)
  if (!inMarks && match[2] === undefined && beginsFormula(rest, options[index] ?? '')) return undefined
  const isNamed = /(?:option|choice|letter|alternative|variant)(?: is)?:? $/i.test(prefix)
  const isMarked = inMarks !== null || match[2] !== undefined || isNamed || rest.trim() === ''
  // `B field` is a thing, as `A town` is.
  const isLetter = says.letterReason.test(rest) || (/[B-HJ-Z]/.test(match[1]) && !/^\s\p{Ll}/u.test(rest))
  return { index, rest, isSure: isMarked || isLetter }
}

/** Returns the option whose letter a text is, with nothing else but marks: `B`, `(B).`, `[b]`. */
export function onlyLetter(plain: string, options: readonly string[]): number | undefined {
  const found = leadingLetter(plain, options)
  return found && /^[\s).\]}>:,;!]*$/.test(found.rest) ? found.index : undefined
}
