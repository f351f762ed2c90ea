import {
  comparableText,
  indexOfLetter,
  leadingLetter,
  letterMentions,
  onlyLetter,
  optionAtStart,
  optionByText,
  plainText,
  textMentions,
} from './options.ts'
import { says } from './phrases.ts'
import { behindWithdrawal } from './withdrawal.ts'

export type Options = readonly string[]

/** What the begin of a text claims: an option, or undefined where what follows names another or takes it back. */
export type Claim = { index: number | undefined } | undefined

/**
 * Returns the index of the option that a reference names: by its letter (`B`, `(B)`), by its text, or by both (`B. Lyon`). Letters win
 * over texts. Case and marks count only if options differ by nothing else (`true`, `True`). Undefined for no option.
 */
export function matchOption(text: string, options: Options): number | undefined {
  return wholeOption(text, options) ?? claimByLetter(plainText(text), options)?.index
}

export function wholeOption(text: string, options: Options): number | undefined {
  const letter = onlyLetter(plainText(text), options)
  if (letter !== undefined) return letter
  const same = options.findIndex((option) => option.trim() === text.trim())
  return same !== -1 ? same : optionByText(comparableText(text), options)
}

/** Whether a text begins as a reason does. */
export const isReason = (text: string): boolean => /^\s{0,9}(?:because|since|as|due to)\b/i.test(text)

/** Returns the options with which a text begins, as a line of a list of options does. */
export function optionsBegun(text: string, options: Options): readonly number[] {
  const letter = leadingLetter(plainText(text), options)
  return letter?.isSure ? [letter.index] : (optionAtStart(comparableText(text), options)?.indexes ?? [])
}

/** Returns the indexes of all options that a text names, by letter or text. */
export const optionsNamed = (text: string, options: Options): number[] => [
  ...new Set(
    [
      ...letterMentions(plainText(text), options, 'sure'),
      ...letterMentions(plainText(text), options, 'perhaps'),
      ...textMentions(comparableText(text), options),
    ].map(({ index }) => index),
  ),
]

export const othersThan = (index: number, text: string, options: Options) =>
  optionsNamed(text, options).filter((other) => other !== index)

export function claimByLetter(plain: string, options: Options): Claim {
  const letter = leadingLetter(plain, options)
  if (!letter) return undefined
  const { index, rest, isSure } = letter
  const behind = rest.replace(/^[\s)\]}>.,:;–—-]+/, '')
  const own = optionAtStart(behind.toLowerCase(), options)
  if (own?.indexes.includes(index))
    return { index: isKept(behind.slice(own.length), index, options) ? index : undefined }
  if (!isSure) return undefined
  // `B - Paris` names two, but in `B. Paris is too far north` a sentence begins.
  const isSentence = /^\s?[.!]/.test(rest) && /^\s\p{L}/u.test(behind.slice(own?.length))
  if (optionAtStart(comparableText(plain), options) || (own && !isSentence)) return { index: undefined }
  // `A:` may stand for "answer", and what follows a colon may be another answer: `A: It must be (B).`
  const isSpoken = rest.startsWith(':') && !isReason(rest.slice(1))
  if (isSpoken && letterMentions(rest, options, 'sure').some((named) => named.index !== index))
    return { index: undefined }
  const isDenied = says.letterDenied.test(rest.replace(says.unchosen, ''))
  return { index: !isDenied && isKept(rest, index, options) ? index : undefined }
}

/** Claims the option with whose text a text begins, if a mark or a reason follows and no other option. */
export function claimByText(text: string, options: Options): Claim {
  const comparable = comparableText(text)
  const begun = optionAtStart(comparable, options)
  if (!begun) return undefined
  const [index, ...equals] = begun.indexes
  if (index === undefined || equals.length > 0) return { index: undefined }
  const plain = plainText(text)
  const isSame = plain.toLowerCase().startsWith(comparable.slice(0, begun.length))
  const rest = (isSame ? plain : comparable).slice(begun.length)
  const isRemarked = /^\s*(?:[^\p{L}\p{N}\s/&+=*^%]|(?:because|since|as|due to|is|for)\b)/u.test(rest)
  return {
    index: isRemarked && !says.letterDenied.test(rest) && isKept(rest, index, options) ? index : undefined,
  }
}

export const longestRemark = 2000

/** Whether what follows an option keeps it: it does not take it back and chooses no other. A reason may name others. */
export function isKept(rest: string, index: number, options: Options): boolean {
  const kept = rest.replace(says.unchosen, '')
  if (says.alternative.test(kept) || says.denied.test(rest) || isOther(rest, index, options)) return false
  const [first = '', ...later] = clausesOf(kept.slice(0, longestRemark))
  const isReasoned =
    says.reason.test(first) && !says.corrected.test(first) && !affirmsOther(first, index, options)
  return (
    (isReasoned || othersThan(index, first, options).length === 0) &&
    later.every((clause) => isComment(clause, index, options))
  )
}

export const clausesOf = (text: string) => text.split(/(?<=[.!?;]|^\s*[.!;:)])\s+(?=[("“]?\p{Lu})/u)

/** Whether a remark gives the text of another option: `C, which is Lyon`. */
function isOther(rest: string, index: number, options: Options): boolean {
  const said =
    /^[\s.,;:()–—-]*(?:(?:it|which|that|this|the (?:correct |right )?answer)(?:['’]s| is| was| means)|for|i\.e\.?,?)\s(?:the )?(.{1,200})/i.exec(
      rest,
    )?.[1]
  const begun = said === undefined ? undefined : optionAtStart(comparableText(said), options)
  return begun !== undefined && !begun.indexes.includes(index)
}

/** A capital that stands for itself: no article, and no pronoun. */
const standing = /(?<![\p{L}\p{N}'’])([A-Z])(?![\p{L}\p{N}'’]|(?<=[AI]) \p{Ll})/gu

/** Whether a clause behind the chosen option neither takes it back nor chooses another: what it says of others is a remark. */
function isComment(clause: string, index: number, options: Options): boolean {
  if (says.retracted.test(clause) || behindWithdrawal(clause, 'behind') !== undefined) return false
  if (says.deniesAll.test(clause)) return true
  const letters = [...clause.matchAll(standing)].map(([, letter = '']) => indexOfLetter(letter, options))
  const others = [
    ...othersThan(index, clause, options),
    ...letters.filter((other) => other >= 0 && other !== index),
  ]
  if (others.length === 0) return true
  if (wholeOption(clause, options) !== undefined) return false
  if (says.corrected.test(clause) || says.affirms.test(clause) || says.comesTo.test(clause)) return false
  return !affirmsOther(clause, index, options)
}

function affirmsOther(text: string, index: number, options: Options): boolean {
  return [...text.matchAll(/(?<![\p{L}\p{N}'’])([A-Z])(?![\p{L}\p{N}'’])/gu)].some((match) => {
    const other = indexOfLetter(match[0], options)
    if (other < 0 || other === index) return false
    const [before, behind] = [
      text.slice(Math.max(0, match.index - 60), match.index),
      text.slice(match.index + 1),
    ]
    if (says.affirmed.test(behind.slice(0, 80))) return true
    const ends = /^[)\]]?\s*(?:$|[.,;!])|^[)\]]? (?:is|was|fits) /.test(behind)
    return ends && says.concluded.test(before) && (!says.blamed.test(text) || /^[)\]]?\s*[.!]?$/.test(behind))
  })
}
