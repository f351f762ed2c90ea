import { stripMarkup } from './markup.ts'
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

type Options = readonly string[]

/** What the begin of a text claims: an option, or undefined where what follows names another or takes it back. */
type Claim = { index: number | undefined } | undefined

/**
 * Returns the index of the option that a reference names: by its letter (`B`, `(B)`), by its text, or by both (`B. Lyon`). Letters win
 * over texts. Case and marks count only if options differ by nothing else (`true`, `True`). Undefined for no option.
 */
export function matchOption(text: string, options: Options): number | undefined {
  return wholeOption(text, options) ?? claimByLetter(plainText(text), options)?.index
}

function wholeOption(text: string, options: Options): number | undefined {
  const letter = onlyLetter(plainText(text), options)
  if (letter !== undefined) return letter
  const same = options.findIndex((option) => option.trim() === text.trim())
  return same !== -1 ? same : optionByText(comparableText(text), options)
}

/** The ways to choose an option, the surest first. The first that finds a claim decides. */
const ranks: readonly ((text: string, options: Options) => Claim)[] = [
  (text, options) => {
    const index = wholeOption(text, options)
    return index === undefined ? undefined : { index }
  },
  (text, options) => claimByLetter(plainText(text), options),
  claimByText,
  emphasised,
  concluded,
]

/**
 * Returns the index of the option that an answer chooses: as `matchOption`, also by a letter with a reason (`B because …`), by an
 * option's text with a remark (`Lyon, the capital`), or by a clause that names it alone (`It must be (B).`). Undefined if
 * it chooses no option, or more than one.
 */
export function chosenOption(text: string, options: Options): number | undefined {
  for (const rank of ranks) {
    const claim = rank(text, options)
    if (claim) return claim.index
  }
  return undefined
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

const othersThan = (index: number, text: string, options: Options) =>
  optionsNamed(text, options).filter((other) => other !== index)

function claimByLetter(plain: string, options: Options): Claim {
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
function claimByText(text: string, options: Options): Claim {
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

const longestRemark = 2000

/** Whether what follows an option keeps it: it does not take it back and chooses no other. A reason may name others. */
function isKept(rest: string, index: number, options: Options): boolean {
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

const clausesOf = (text: string) => text.split(/(?<=[.!?;]|^\s*[.!;:)])\s+(?=[("“]?\p{Lu})/u)

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
  if (says.retracted.test(clause) || says.withdrawn.test(clause)) return false
  if (says.deniesAll.test(clause)) return true
  const letters = [...clause.matchAll(standing)].map(([, letter = '']) => indexOfLetter(letter, options))
  const others = [
    ...othersThan(index, clause, options),
    ...letters.filter((other) => other >= 0 && other !== index),
  ]
  if (others.length === 0) return true
  if (wholeOption(clause, options) !== undefined) return false
  if (says.corrected.test(clause) || says.affirms.test(clause) || says.comesTo.test(clause)) return false
  return !affirmsOther(clause, index, options) || says.unreal.test(clause)
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

/** Claims the only option that the last clause of an answer sets in bold or as code: ``the result of `not True` is **False**``. */
function emphasised(text: string, options: Options): Claim {
  const clause = lastClause(text.slice(-longestRemark))
  const set = [...clause.matchAll(/(\*\*|`)(?!\s)([^*`]{1,200}?)\1/g)].flatMap((match) => {
    const index = wholeOption(stripMarkup(match[2] ?? ''), options)
    return index === undefined ? [] : [{ index, before: clause.slice(0, match.index) }]
  })
  const [only, ...more] = set
  if (!only || more.some(({ index }) => index !== only.index) || isDoubted(only.before)) return undefined
  return { index: only.index }
}

const isDoubted = (before: string) =>
  /\b(?:not|never|neither|nor|or|if|whether|cannot)\W*$|n['’]t\W*$/i.test(before)

const lastClause = (text: string) => clausesOf(text.trim()).at(-1) ?? ''

/**
 * Claims the option of the last clause that states one: it is the only one that the answer names, or what the clause concludes. A text
 * that is cut off concludes nothing.
 */
function concluded(text: string, options: Options): Claim {
  const clauses = clausesOf(plainText(text.slice(-longestRemark)))
  const last = clauses.at(-1) ?? ''
  if (
    !isFinished.test(text) &&
    !textMentions(comparableText(last), options).some(({ to }) => to === comparableText(last).length)
  )
    return undefined
  for (let at = clauses.length - 1; at >= 0; at--) {
    const clause = clauses[at] as string
    const index = soleOption(clause, options) ?? statedOption(clause, options)
    if (index === undefined) continue
    const isOnly = clauses.slice(0, at).every((other) => othersThan(index, other, options).length === 0)
    const isLast = clauses.slice(at + 1).every((later) => keepsOption(later, index, options))
    const isConclusion = concludes.test(clause) || (isOnly && at === clauses.length - 1)
    return isConclusion && isLast ? { index } : undefined
  }
  return undefined
}

export const isFinished = /[.!?…)\]}*"”'`$]\s*$/

/** Whether a clause behind a stated option names no other and does not deny it. */
export const keepsOption = (clause: string, index: number, options: Options): boolean => {
  const named = optionsNamed(clause, options)
  return named.length === 0
    ? !says.withdrawn.test(clause) && !deniesOptions.test(clause)
    : named.length === 1 && named[0] === index && !denies.test(clause)
}

const denies = /\b(?:not|no|never|cannot|wrong|incorrect)\b|n['’]t\b/i

const deniesOptions = /\bnone of\b|\bnot (?:among|listed|one of|an option|in the)\b/i

const concludes =
  /^(?:so|thus|hence|therefore|overall|in conclusion|finally|given (?:this|these|the options))\b|^the (?:argument|answer|result|statement|sentence) is\b|\b(?:best|closest|correct|right|most (?:likely|appropriate|suitable|similar)) (?:\w+ )?(?:answer|option|choice|match|movie)\b/i

/** Returns the only option that a clause names: by its letter, or by its text at the end. */
function soleOption(plain: string, options: Options): number | undefined {
  const comparable = comparableText(plain)
  const [named] = letterMentions(plain, options, 'sure')
  const all = optionsNamed(plain, options)
  const [chosen, ...others] = all
  if (chosen === undefined || others.length > 0) return undefined
  if (named) {
    const after = plain.slice(named.to)
    const own = optionAtStart(after.trimStart().toLowerCase(), options)
    const rest = own?.indexes.includes(chosen) ? after.trimStart().slice(own.length) : after
    return !says.negated.test(plain.slice(0, named.from)) &&
      !/\?\s*$/.test(after) &&
      !says.letterDenied.test(rest) &&
      isKept(rest, chosen, options)
      ? chosen
      : undefined
  }
  const own = comparableText(options[chosen] as string)
  return comparable.endsWith(own) && !says.negated.test(comparable.split(own).join(' ')) ? chosen : undefined
}

/** Returns the option at the end of a clause, behind a word that states it; what stands before repeats the question. */
function statedOption(plain: string, options: Options): number | undefined {
  const comparable = comparableText(plain)
  const last = textMentions(comparable, options).at(-1)
  if (!last || last.to < comparable.length) return undefined
  const before = comparable.slice(0, last.from)
  return /(?:\b(?:is|yields|equals|becomes|evaluates to|simplifies to|gives)|[=:])\s*$/.test(before)
    ? last.index
    : undefined
}

const negatesNext = /(?:\b(?:not|never|hardly)|n['’]t)\W+(?:\w+\W+){0,2}$/i

/**
 * Returns the option `yes` or `no` of an answer that says so in the words of its question: `it is not plausible` behind
 * `Is the sentence plausible?`, `Ann tells the truth` behind `Does Ann tell the truth?`. The last clause must say it, and one thing only.
 */
export function restatedOption(text: string, options: Options, question: string): number | undefined {
  const [yes, no] = ['yes', 'no'].map((word) => options.findIndex((option) => option.toLowerCase() === word))
  const [, , subject = '', said = ''] =
    /\b(is|are|does|do|did)\s(?:the\s)?([^?.]{1,60}?)\s(\p{L}+|tell the truth)\?/iu.exec(
      question.slice(-longestRemark),
    ) ?? []
  if (options.length !== 2 || yes === -1 || no === -1 || said === '') return undefined
  const clause = plainText(lastClause(text.slice(-longestRemark)))
  const form = new RegExp(`(?<![\\p{L}])(im|in|un)?${said.replace(/^\p{L}+/u, '$&s?')}(?![\\p{L}])`, 'giu')
  const found = [...clause.matchAll(form)].map((match) => {
    const before = clause.slice(0, match.index)
    const isAbout = / /.test(said)
      ? before.includes(subject)
      : /\b(?:is|as|it|seems|be|not|indeed|and|making|considered)\W+(?:\w+\W+)?$/i.test(before)
    const isUnsure = /\b(?:whether|if|may|might|could|less|more|a)\b[^,]{0,30}$/i.test(before)
    return !isAbout || isUnsure ? undefined : match[1] !== undefined || negatesNext.test(before) ? no : yes
  })
  const [only, ...more] = new Set(found)
  return more.length === 0 && isFinished.test(text) ? only : undefined
}
