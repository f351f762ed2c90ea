import { stripMarkup } from './markup.ts'
import {
  type Claim,
  claimByLetter,
  claimByText,
  clausesOf,
  isKept,
  isReason,
  longestRemark,
  type Options,
  optionsNamed,
  othersThan,
  wholeOption,
} from './option-claims.ts'
import { comparableText, letterMentions, optionAtStart, plainText, textMentions } from './options.ts'
import { says } from './phrases.ts'
import { behindWithdrawal } from './withdrawal.ts'

/** The ways to choose an option, the surest first. The first that finds a claim decides. */
const ranks: readonly ((text: string, options: Options) => Claim)[] = [
  (text, options) => {
    const index = wholeOption(text, options)
    return index === undefined ? undefined : { index }
  },
  (text, options) => claimByLetter(plainText(text), options),
  claimByText,
  (text, options) => {
    const index = text.length > longestSentence ? undefined : soleOption(plainText(text), options)
    return index === undefined ? undefined : { index }
  },
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

/** Claims the only option that the last clause states in bold or as code: ``the result of `not True` is **False**``. */
function emphasised(text: string, options: Options): Claim {
  const clause = lastClause(text.slice(-longestRemark))
  const set = [...clause.matchAll(/(\*\*|`)(?!\s)([^*`]{1,200}?)(?:\1|$)/g)].flatMap((match) => {
    const index = wholeOption(stripMarkup(match[2] ?? ''), options)
    const behind = clause.slice(match.index + match[0].length)
    return index === undefined ? [] : [{ index, before: clause.slice(0, match.index), behind }]
  })
  const [only, ...more] = set
  if (!only || more.some(({ index }) => index !== only.index) || !states.test(only.before)) return undefined
  return isKept(only.behind, only.index, options) && !says.letterDenied.test(only.behind)
    ? { index: only.index }
    : undefined
}

const lastClause = (text: string) => clausesOf(text.trim()).at(-1) ?? ''

/**
 * Claims the option of the last clause that states one: it is the only one that the answer names, or what the clause concludes. A text
 * that is cut off concludes nothing.
 */
function concluded(text: string, options: Options): Claim {
  const clauses = clausesOf(plainText(text.slice(-longestRemark)))
  const last = clauses.at(-1) ?? ''
  const isWhole = optionsNamed(last, options).some((index) => last.endsWith(options[index] as string))
  if (!isWhole && !isFinished(text)) return undefined
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

/** Whether a text ends as a sentence does. The marks at the end of an answer may be cut. */
export const isFinished = (text: string): boolean =>
  /[.!?…)\]}*"”'`$]\s*$/.test(text) || text.split('**').length % 2 === 0 || text.split('`').length % 2 === 0

/** Whether a clause behind a stated option names no other and does not deny it. */
export const keepsOption = (clause: string, index: number, options: Options): boolean => {
  const named = optionsNamed(clause, options)
  return named.length === 0
    ? behindWithdrawal(clause, 'behind') === undefined && !deniesOptions.test(clause)
    : named.length === 1 && named[0] === index && !denies.test(clause)
}

const denies = /\b(?:not|no|never|cannot|wrong|incorrect)\b|n['’]t\b/i

const deniesOptions = /\bnone of\b|\bnot (?:among|listed|one of|an option|in the)\b/i

const concludes =
  /^(?:so|thus|hence|therefore|overall|in conclusion|finally|given (?:this|these|the options))\b|^the (?:argument|answer|result|statement|sentence) is\b|\b(?:best|closest|correct|right|most (?:likely|appropriate|suitable|similar)) (?:\w+ )?(?:answer|option|choice|match|movie)\b/i

const longestSentence = 600

/** Returns the only option that a text names: by its letter, or by its text at the end. */
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
    const before = plain.slice(0, named.from)
    const clause = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('; ')) + 1)
    return !says.negated.test(clause) &&
      !/\?\s*$/.test(after) &&
      !says.letterDenied.test(rest) &&
      isKept(rest, chosen, options)
      ? chosen
      : undefined
  }
  const [own] = textMentions(comparable, options)
  if (!own) return undefined
  const [before, after] = [comparable.slice(0, own.from), comparable.slice(own.to)]
  const isReasoned = / (?:is|must be) $/.test(before) && isReason(after)
  return (isReasoned || after === '') && !says.negated.test(before) ? chosen : undefined
}

/** Before an option: it is what the clause states, and no second one. */
const states =
  /(?<!\b(?:or|and|nor|but) )(?:\b(?:is|be|yields|equals|becomes|evaluates to|simplifies to|gives|making|corresponds to)|[=:])\s*(?:option\s)?(?:[([][a-z][)\]]|[{(\\])*\s*["'*]*$/i

const pointsTo = /\b(?:corresponds to|matches|is) (?:the )?(?:option|choice|answer)?\s*$/i

/** Returns the option at the end of a clause, behind a word that states it; what stands before repeats the question. */
function statedOption(plain: string, options: Options): number | undefined {
  const comparable = comparableText(plain).replace(/[})]+$/, '')
  const last = textMentions(comparable, options).at(-1)
  const [lettered, another] = letterMentions(plain, options, 'sure')
  // `a sector of a circle, which corresponds to option (C)`
  const isPointed = lettered && !another && pointsTo.test(plain.slice(0, lettered.from))
  if (isPointed && /^[\s).]*$/.test(plain.slice(lettered.to))) return lettered.index
  if (!last || last.to < comparable.length || (lettered && lettered.index !== last.index)) return undefined
  return states.test(comparable.slice(0, last.from)) ? last.index : undefined
}

const qualifies = /\b(?:is|as|it|seems|be|not|indeed|and|making|considered)\W+(?:\w+\W+)?$/i
const negatesNext = /(?:\b(?:not|never|hardly)|n['’]t)\W+(?:\w+\W+){0,2}$/i

/**
 * Returns the option `yes` or `no` of an answer that says so in the words of its question: `it is not plausible` behind
 * `Is the sentence plausible?`, `Ann tells the truth` behind `Does Ann tell the truth?`. The last clause must say it, and one thing only.
 */
export function restatedOption(text: string, options: Options, question: string): number | undefined {
  const [yes, no] = ['yes', 'no'].map((word) => options.findIndex((option) => option.toLowerCase() === word))
  const [, quality, subject = '', told] =
    /\b(?:(?:is|are)\s[^?.]{1,60}?\s(\p{L}+)|does\s(\p{L}+)\s(tell the truth))\?/iu.exec(
      question.slice(-longestRemark),
    ) ?? []
  const said = quality ?? told ?? ''
  if (options.length !== 2 || yes === -1 || no === -1 || said === '') return undefined
  const clause = plainText(lastClause(text.slice(-longestRemark)))
  const form = new RegExp(`(?<![\\p{L}])(im|in|un)?${said.replace(/^\p{L}+/u, '$&s?')}(?![\\p{L}])`, 'giu')
  const found = [...clause.matchAll(form)].map((match) => {
    const before = clause.slice(0, match.index)
    const isAbout = (told ? new RegExp(`${subject}(?:\\W+\\w+){0,4}\\W*$`, 'iu') : qualifies).test(before)
    const isUnsure = /\b(?:whether|if|may|might|could|less|more|a)\b[^,]{0,30}$/i.test(before)
    return !isAbout || isUnsure ? undefined : match[1] !== undefined || negatesNext.test(before) ? no : yes
  })
  const [only, ...more] = new Set(found)
  return more.length === 0 && isFinished(text) ? only : undefined
}
