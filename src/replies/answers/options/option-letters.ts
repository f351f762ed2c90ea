import { comparableText, indexOfLetter } from './option-text.ts'

/** A letter at the begin of a text, and what follows it. */
interface LeadingLetter {
  index: number
  rest: string
  /** Whether it can only be the letter of an option. `A city` begins with a letter that is a word, too. */
  isSure: boolean
}

const openers = '[([{<]{1,3}\\s?'
const closers = '\\s?[)\\]}>]{1,3}'
const leadIn =
  /^(?:(?:it(?:['’]s| is| must be| has to be)|that(?:['’]s| is)|(?:the )?(?:correct|right|best|final|most likely) (?:one|answer) is) )?(?:the )?(?:(?:correct|right|best|final) )?(?:(?:option|choice|letter|answer|statement|alternative|variant)(?: is)?:? )?/i
const wrapped = new RegExp(`^${openers}([a-z])(?:${closers}|\\s?$)`, 'i')
const bare = /^([a-z])(?:(\s?[)\]}>.:,;!])|(?=$|[^\p{L}\p{N}'’#+&^%=\\-]))/iu
const reasonWord =
  /^[\s,–—-]*(?:because|since|as|due to|given|is|for the|being|by)\b|^[\s,]*[^\p{L}\p{N}\s,/&+=<>]/iu

// `H(X) = …`, `E[X]` and `f(x)` are functions, and `F = …` and `F'` are names of formulas. `H (0.0)` and `H(surely)` are remarks.
const argument = /^(\s?)[([{]([^()[\]{}]*)[)\]}]?(.?)/
const operator = /^\s?[=<>≈≤≥≠≡∈∝→+*/|^_'′·×]/

/** Whether a letter with what follows it begins a formula. The text of an option may stand in the bracket. */
function beginsFormula(rest: string, option: string): boolean {
  const [whole, space, inside = ''] = argument.exec(rest) ?? []
  if (whole === undefined) return operator.test(rest) && !isText(rest.replace(operator, ''), option)
  if (operator.test(rest.slice(whole.length - 1))) return true
  return space === '' && !isText(inside, option) && !/\p{L}{3}/u.test(inside)
}

const isText = (text: string, option: string) =>
  comparableText(option) !== '' && comparableText(text).startsWith(comparableText(option))

/** Returns the letter with which a text begins: `B`, `(B)`, `b)`, `[B]`, `option B`, `B because …`. */
export function leadingLetter(plain: string, options: readonly string[]): LeadingLetter | undefined {
  const prefix = leadIn.exec(plain)?.[0] ?? ''
  const text = plain.slice(prefix.length)
  const inMarks = wrapped.exec(text)
  const alone = inMarks ? undefined : bare.exec(text)
  const match = inMarks ?? alone
  const letter = match?.[1]
  if (!match || letter === undefined) return undefined
  const index = indexOfLetter(letter, options)
  const rest = text.slice(match[0].replace(/[.:,;!]$/, '').length)
  if (alone && alone[2] === undefined && beginsFormula(rest, options[index] ?? '')) return undefined
  const isNamed = /(?:option|choice|letter|alternative|variant)(?: is)?:? $/i.test(prefix)
  const isMarked = inMarks !== null || match[2] !== undefined || isNamed || rest.trim() === ''
  // `B field` is a thing, as `A town` is.
  const isLetter = isMarked || reasonWord.test(rest) || (/[B-HJ-Z]/.test(letter) && !/^\s\p{Ll}/u.test(rest))
  return index < 0 ? undefined : { index, rest, isSure: isLetter }
}

/** Whether a text is a letter and nothing else but marks: `B`, `(B).`, `[b]`. */
export function onlyLetter(plain: string, options: readonly string[]): number | undefined {
  const found = leadingLetter(plain, options)
  return found && /^[\s).\]}>:,;!]*$/.test(found.rest) ? found.index : undefined
}

const noWord = "(?![\\p{L}\\p{N}'’^-])"
const namedLetter = new RegExp(
  [
    `(?<![\\p{L}\\p{N}_^])[([<]{1,2}\\s?([A-Za-z])\\s?[)\\]>]{1,2}`,
    `(?<![\\p{L}\\p{N}_^}\\\\]|[=+*/^-]\\s)[{]([A-Z])[}]`,
    `\\b(?:[Oo]ptions?|[Cc]hoices?|[Ll]etters?|[Aa]nswers?|[Ss]tatements?|OPTIONS?):? ([A-Z])${noWord}`,
    `(?:^|\\b(?:or|and|not|nor|be|is|than|to)|[,;:&?!.])\\s?(?:maybe |perhaps |possibly |probably |also |rather |even )?(?:([B-HJ-Z])|([b-hj-z]))${noWord}(?!\\s?[=+]|\\s\\d)`,
    `(?:\\b(?:or|and|not|nor|be|is|than|to)|[,;:&?!.])\\s?(?:maybe |perhaps |possibly |probably |also |rather |even )?([AIai])${noWord}(?! \\p{L}|\\s?[=+])`,
    `(?<![\\p{L}\\p{N}'’.^\\\\/-])(?<![=+*/^]\\s)([A-Z])${noWord}(?= (?:and|or|is|are|was|would|could|also|as well|fits?|seems?)\\b)`,
  ].join('|'),
  'gu',
)

/** Returns the indexes of the options whose letters a text names, in order. Letters of formulas and words (`A`, `I`) do not count. */
export function lettersInText(plain: string, options: readonly string[]): number[] {
  const found = [...plain.matchAll(namedLetter)].map((match) =>
    match.slice(1).find((part) => part !== undefined),
  )
  return found.map((letter) => indexOfLetter(letter as string, options)).filter((index) => index >= 0)
}

const surelyNamed = new RegExp(
  [
    `(?<![\\p{L}\\p{N}_^])[([<]{1,2}\\s?([A-Za-z])\\s?[)\\]>]{1,2}`,
    `\\b(?:option|choice|letter|answer|statement|alternative):? ([A-Z])${noWord}`,
    "(?<![\\p{L}\\p{N}'’.^\\\\/=+-])([A-Z])[.):] (?=[\\p{L}\\p{N}])",
    '(?:is|be|:|choose|pick|select) ([B-HJ-Z])[.!]?$',
  ].join('|'),
  'gu',
)

/** An option that a sentence names by its letter. */
export interface NamedOption {
  index: number
  /** What stands before it. */
  before: string
  /** What follows it. */
  after: string
}

/** Returns the options whose letters a sentence names beyond doubt: `(B)`, `option B`, `B. Lyon`, `… is B.` */
export function lettersNamed(plain: string, options: readonly string[]): NamedOption[] {
  return [...plain.matchAll(surelyNamed)].flatMap((match) => {
    const letter = match.slice(1).find((part) => part !== undefined) as string
    const named = { before: plain.slice(0, match.index), after: plain.slice(match.index + match[0].length) }
    const index = indexOfLetter(letter, options)
    return index < 0 ? [] : [{ index, ...named }]
  })
}
