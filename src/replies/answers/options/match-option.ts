import { comesTo, withdrawn } from '../announcement-words.ts'
import { leadingLetter, lettersInText, lettersNamed, type NamedOption, onlyLetter } from './option-letters.ts'
import {
  comparableText,
  indexOfLetter,
  optionAtStart,
  optionByText,
  optionsInText,
  plainText,
} from './option-text.ts'

/**
 * Returns the index of the option that a reference names: by its letter (`B`, `(B)`), by its text, or by both (`B. Lyon`). Letters win
 * over texts. Case and marks count only if options differ by nothing else (`true`, `True`). Undefined for no option.
 */
export function matchOption(text: string, options: readonly string[]): number | undefined {
  const plain = plainText(text)
  const letter = onlyLetter(plain, options)
  if (letter !== undefined) return letter
  const same = options.findIndex((option) => option.trim() === text.trim())
  if (same !== -1) return same
  return optionByText(comparableText(text), options) ?? letterWithRest(plain, options)?.index
}

/**
 * Returns the index of the option that an answer chooses: as `matchOption`, also by a letter with a reason (`B because …`), by an
 * option's text with a remark (`Lyon, the capital`), or by a sentence that names it alone (`It must be (B).`). Undefined if
 * it chooses no option, or more than one.
 */
export function chosenOption(text: string, options: readonly string[]): number | undefined {
  const matched = matchOption(text, options)
  if (matched !== undefined) return matched
  const plain = plainText(text)
  if (letterWithRest(plain, options)) return undefined
  return optionAtStart(comparableText(text), options)
    ? textWithRemark(text, options)
    : soleOption(plain, options)
}

/** Whether a text begins as a reason does. */
export const isReason = (text: string): boolean => /^\s{0,9}(?:because|since|as|due to)\b/i.test(text)

/** Returns the options with which a text begins, as a line of a list of options does. */
export function optionsBegun(text: string, options: readonly string[]): readonly number[] {
  const letter = leadingLetter(plainText(text), options)
  if (letter?.isSure) return [letter.index]
  return optionAtStart(comparableText(text), options)?.indexes ?? []
}

/** Returns the option of a leading letter; its index is undefined if what follows names another or takes it back. */
function letterWithRest(
  plain: string,
  options: readonly string[],
): { index: number | undefined } | undefined {
  const letter = leadingLetter(plain, options)
  if (!letter) return undefined
  const { index, rest, isSure } = letter
  const begun = optionAtStart(comparableText(plain), options)
  const behind = rest.replace(/^[\s)\]}>.,:;–—-]+/, '')
  const own = optionAtStart(behind.toLowerCase(), options)
  if (own?.indexes.includes(index))
    return { index: isRemark(behind.slice(own.length), index, options) ? index : undefined }
  if (!isSure) return undefined
  // `B - Paris` names two, but in `B. Paris is too far north` a sentence begins.
  const isSentence = /^\s?[.!]/.test(rest) && /^\s\p{L}/u.test(behind.slice(own?.length))
  if (begun !== undefined || (own !== undefined && !isSentence)) return { index: undefined }
  // `A:` may stand for "answer", and what follows a colon may be another answer: `A: It must be (B).`
  const isSpoken = rest.startsWith(':') && !isReason(rest.slice(1))
  if (isSpoken && lettersNamed(rest, options).some((named) => named.index !== index))
    return { index: undefined }
  const isKept = !denied.test(rest.replace(unchosen, '')) && isRemark(rest, index, options)
  return { index: isKept ? index : undefined }
}

/** Returns the option with whose text a text begins, if a mark or a reason follows and no other option. */
function textWithRemark(text: string, options: readonly string[]): number | undefined {
  const comparable = comparableText(text)
  const begun = optionAtStart(comparable, options)
  const [index, ...equals] = begun?.indexes ?? []
  if (!begun || index === undefined || equals.length > 0) return undefined
  const plain = plainText(text)
  const rest = (plain.toLowerCase().startsWith(comparable.slice(0, begun.length)) ? plain : comparable).slice(
    begun.length,
  )
  const isRemarked = /^\s*(?:[^\p{L}\p{N}\s/&+=*^%]|(?:because|since|as|due to|is|for)\b)/u.test(rest)
  return isRemarked && !denied.test(rest) && isRemark(rest, index, options) ? index : undefined
}

const alternative =
  /^[\s.,;:()–—-]*(?:or|and|and\/or|nor|vs\.?|versus|but)\b|^\s*[/&+=]\s?[([{]?[a-z][)\]}]?(?![\p{L}\p{N}])/iu
const denial = new RegExp(
  [
    '^[\\s.,;:()–—-]*(?:(?:is|was|are|seems?(?: to be)?|looks?|would be|can be|could be|must be|should be)\\s(?:\\w+ly )?)?(?:wrong|incorrect|false|impossible|excluded|eliminated|ruled out)\\b',
    "(?:is|was|can|could|would|should|must|does|seems?)?\\s?(?:not|n['’]t)(?: be)?(?:[.,;!]|$| (?:the |an? )?(?:correct|right|answer|best|true|possible|valid|it|likely|suitable|option|choice)\\b)",
    '[.,;:!?–—-]+\\s?no(?:,? wait\\b|[.,!;:]|$)',
  ]
    .map((form, i) => (i === 0 ? form : `^[\\s()]*${form}`))
    .join('|'),
  'i',
)
const reason =
  /^[\s,;:()–—-]*(?:because|since|as|due to|while|whereas|although|though|given|for|by|based on|explanation|reason|this|that|it|they|which|the|is (?:the )?(?:correct|right|best|true|answer|only|most))\b/i
const correction =
  /\b(?:wait|actually|hmm|oops|sorry|correction|scratch that|changed?|reconsider|let me (?:correct|revise)|second thoughts?|(?:instead|rather)(?! (?:of|than)))\b|[,;.:]\s*(?:or|no)\b/i

/** Behind an option: words that join it with another or doubt it. */
const doubt = new RegExp(
  [
    '^\\s*\\?',
    "^[\\s,;]*(?:[、，；|/&+,;→⇒>~-]|(?:und|oder|ou?|et?|y|och|eller|en|of|и|или|and|or|plus|as well as|along with|together with|vs\\.?)\\s|[或和与及とか]|(?:0?\\.\\d+|\\d+\\s?%)\\s)[\\s>]*[([{]?(?:[B-HJ-Z]|A(?! \\p{Ll}))[)\\]}]?(?![\\p{L}\\p{N}'’])",
  ].join('|'),
  'iu',
)
/** Behind a letter: it is denied. Behind the text of an option, `is not` may be a statement of what it says. */
const denied =
  /^[\s,()–—-]*(?:(?:which|that|it|this)\s(?:is|was)\s(?:\w+ly\s)?(?:wrong|incorrect|false|a mistake|not (?:right|correct))|(?:is|was|are|does|do|did|can|could|would|should|must|seems|looks)\s(?:(?:(?!because|since|while|whereas|and\s|as\s)[^.;:,!?]){0,40}\s)?(?:not|never|wrong|incorrect|false|worse|worst|unlikely|impossible|mistake|first (?:thought|guess|idea)|ruled out|eliminated)|(?:cannot|fails|failed|misses)|(?:is|was|does|do|did|ca|could|would|should)n['’]t)(?![\p{L}\p{N}])/iu
/** Of another option: it is right, too, or instead. */
const affirmed =
  /^[)\]}]?[.:]?\s(?:(?:is|are|was|would be|could be|may be|might be|seems?|looks?|fits?|works?|must be)\b(?! (?:not|never|in)\b|n['’]t)[^.;]{0,20}?\b(?:right|correct|true|better|best|valid|possible|plausible|likely|acceptable|also|too(?! \w)|as well|answer|choice)\b|(?:also |too |really )?(?:fits?|works?|holds?|applies|wins)\b)/i
const blamed =
  /\b(?:wrong|incorrect|false|not|n['’]t|cannot|distractors?|traps?|tempting|too \w+|unlike|ruled out|eliminated|fails?|mistakes?)\b|n['’]t\b/i
const concluded =
  /(?:\b(?:[Ss]o|but|[Hh]ence|[Tt]hus|[Tt]herefore|[Tt]hen|as is|as are|so is|for)|->|→|=>)(?:,? (?:it is|it['’]s|it must be|the answer is))?,? [([]?([A-Z])[)\]]?(?=\s*(?:$|[.,;!])| (?:is|was|fits) )/gu

/** Whether what follows an option does not take it back and names no other. A reason may name others: `B because C is …`. */
function isRemark(rest: string, index: number, options: readonly string[]): boolean {
  const kept = rest.replace(unchosen, '')
  if (alternative.test(rest) || denial.test(rest) || doubt.test(kept) || isOther(rest, index, options))
    return false
  const [first = '', ...later] = kept
    .slice(0, longestRemark)
    .split(/(?<=[.!?;]|^\s*[.!;:)])\s+(?=[("“]?\p{Lu})/u)
  const isReason = reason.test(first) && !correction.test(first) && !affirmsOther(first, index, options)
  return (
    (isReason || othersIn(first, index, options).length === 0) &&
    later.every((sentence) => isComment(sentence, index, options))
  )
}

const longestRemark = 2000

/** Whether a remark gives the text of another option: `C, which is Lyon`. */
function isOther(rest: string, index: number, options: readonly string[]): boolean {
  const said =
    /^[\s.,;:()–—-]*(?:(?:it|which|that|this|the (?:correct |right )?answer)(?:['’]s| is| was| means)|for|i\.e\.?,?)\s(?:the )?(.{1,200})/i.exec(
      rest,
    )?.[1]
  const begun = said === undefined ? undefined : optionAtStart(comparableText(said), options)
  return begun !== undefined && !begun.indexes.includes(index)
}

const othersIn = (text: string, index: number, options: readonly string[]) =>
  [...lettersInText(text, options), ...optionsInText(comparableText(text), options)].filter(
    (other) => other !== index,
  )

/** Whether a sentence behind the chosen option neither takes it back nor chooses another: what it says of others is a remark. */
function isComment(sentence: string, index: number, options: readonly string[]): boolean {
  if (withdrawal.test(sentence) || withdrawn.test(sentence)) return false
  if (deniesAll.test(sentence)) return true
  const letters = [...sentence.matchAll(standing)].map(([, letter = '']) => indexOfLetter(letter, options))
  const others = [...othersIn(sentence, index, options), ...letters.filter((i) => i >= 0 && i !== index)]
  if (others.length === 0) return true
  if (
    onlyLetter(sentence, options) !== undefined ||
    optionByText(comparableText(sentence), options) !== undefined
  )
    return false
  if (correction.test(sentence) || affirming.test(sentence) || comesTo.test(sentence)) return false
  return !affirmsOther(sentence, index, options) || supposed.test(sentence)
}

/** A sentence that only denies the options that it names. */
const deniesAll = /^[\s("“]*(?:neither|none|no other)\b|^[\s("“]*both\b.*\b(?:fail|wrong|incorrect|false)\b/i

/** A capital that stands for itself: no article, and no pronoun. */
const standing = /(?<![\p{L}\p{N}'’])([A-Z])(?![\p{L}\p{N}'’]|(?<=[AI]) \p{Ll})/gu
const affirming =
  /^(?!why\b).*\?|\bboth\b|\b(?:is|are) also (?:correct|right|true|valid)\b|\b(?:is|are|be)\s(?:option )?(?:[([][a-z][)\]]|[b-hj-z](?![\p{L}\p{N}'’]))|(?:^|\b(?:i|we)\b[^.]{0,30}\b)(?:choose|pick|select|prefer|take|go with|opt for|meant?)\s(?:option )?[([]?[a-z](?![\p{L}\p{N}'’])/iu
/** A sentence of what would be: `If it were dark, A would be right.` */
const supposed =
  /\b(?:if|unless|without|otherwise)\b.*\b(?:would|could|might)\b|\b(?:would|could|might)\b.*\b(?:if|unless|without)\b/i
const withdrawal =
  /^[("“]?(?:(?:actually|no|wait|hmm|oops|sorry|maybe|perhaps|or|possibly|alternatively|equally|likewise|rather)\b(?:.*(?<![\p{L}\p{N}])[B-HJ-Z](?![\p{L}\p{N}'’])|[^.]{0,20}\sA(?=[.,!?]|$))|(?:(?:wait|oops|no)\b[,.!…\s]*)+(?:that |this |it )?(?:(?:is|['’]s|was) (?:wrong|incorrect|not (?:right|correct)))?[.!]?$|(?:that|this|it) is (?:wrong|incorrect|not (?:right|correct)))/iu

function affirmsOther(text: string, index: number, options: readonly string[]): boolean {
  const letters = [...text.matchAll(/(?<![\p{L}\p{N}'’])([A-Z])(?![\p{L}\p{N}'’])/gu)]
  const isAffirmed = letters.some(({ 0: letter, index: at }) => {
    const other = indexOfLetter(letter, options)
    return other >= 0 && other !== index && affirmed.test(text.slice(at + 1, at + 80))
  })
  if (isAffirmed) return true
  return (
    [...text.matchAll(concluded)].some(([, letter = '']) => {
      const other = indexOfLetter(letter, options)
      return other >= 0 && other !== index && !blamed.test(text)
    }) ||
    [...text.matchAll(/\b(?:so|but|hence|thus|therefore) (?:it is )?[([]?([B-HJ-Z])[)\]]?\s*[.!]?$/gu)].some(
      ([, letter = '']) => indexOfLetter(letter, options) !== index && indexOfLetter(letter, options) >= 0,
    )
  )
}

const unchosen =
  /\b(?:not|rather than|instead of|unlike|than) (?:option |choice )?[([]?[A-Z][)\]]?(?![\p{L}\p{N}])|\b(?:incorrect|wrong) (?:ones?|options?|answers?|choices?) (?:is|are) [A-Z](?:(?:,|,? and|,? or) [A-Z])*(?![\p{L}\p{N}])/gu

const longestSentence = 600
const negation =
  /\b(?:not|neither|nor|cannot|except|unlike|wrong|incorrect|false|or|unable|unclear|whether|if|anything|everything|all but|near|new|outside|beyond)\b|\b(?:next|second)[ -](?:best|closest|most)\b|n['’]t\b|\?$/i

/** Returns the only option that a sentence names: by its letter, or by its text at the end. */
function soleOption(plain: string, options: readonly string[]): number | undefined {
  if (plain.length > longestSentence) return undefined
  const comparable = comparableText(plain)
  const named = lettersNamed(plain, options)
  const texts = optionsInText(comparable, options)
  const lettered = lettersInText(plain, options)
  const [chosen, ...others] = new Set([...named.map(({ index }) => index), ...lettered, ...texts])
  if (chosen === undefined || others.length > 0) return undefined
  const [letter] = named
  if (letter) return isChosen(letter, options) ? chosen : undefined
  const own = comparableText(options[chosen] as string)
  return comparable.endsWith(own) && !negation.test(comparable.split(own).join(' ')) ? chosen : undefined
}

/** Whether the sentence of a letter does not deny it. */
function isChosen({ index, before, after }: NamedOption, options: readonly string[]): boolean {
  const clause = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('; ')) + 1)
  const own = optionAtStart(after.trimStart().toLowerCase(), options)
  const rest = own?.indexes.includes(index) ? after.trimStart().slice(own.length) : after
  return !negation.test(clause) && !/\?\s*$/.test(after) && isRemark(rest, index, options)
}
