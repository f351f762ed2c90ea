import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../base/package-root.ts'

/** Reads one of the tables of phrases by which answers are read: `en` for `phrases/en.yaml`. */
export function phrasesIn<T>(name: string): T {
  const path = join(packageRoot(), 'src', 'replies', 'answers', 'phrases', `${name}.yaml`)
  return parse(readFileSync(path, 'utf8')) as T
}

/** Replaces `<name>` in an expression by the part of that name. A name that has no part is what it says, such as `(?<answer>`. */
export const fillParts = (source: string, parts: Readonly<Record<string, string>>): string =>
  source.replace(/(?<!\(\?)<(\w+)>/g, (whole, name: string) => {
    const part = parts[name]
    return part === undefined ? whole : `(?:${fillParts(part, parts)})`
  })

/** Returns the words of a text that spaces part. */
const wordsOf = (text: string): string[] => text.normalize('NFC').split(/\s+/)

/** Returns the value of each word of a table from values to their words. */
export const valuesOf = (table: Readonly<Record<string, string>>): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(table).flatMap(([value, row]) =>
      wordsOf(row).map((word) => [word, Number(value)] as const),
    ),
  )

/** Words of a language other than English. */
interface Language {
  language: string
  /** The word "answer", as an expression. */
  answer?: string
  /** Words between "answer" and the answer, and signs that are written right behind it. */
  is?: string[]
  isBehind?: string
  /** Sentences that take an answer back, as expressions. */
  withdraws?: string[]
  /** The begin of a sentence that puts another answer in place of one, as expressions; a value follows. */
  corrects?: string[]
  /** Words that make a number negative, as expressions. */
  minus?: string[]
  /** Words before a number that deny it, and words before it that make another number of it, as expressions. */
  denies?: string[]
  compares?: string[]
  /** What stands behind a value that is denied or compared, as expressions. */
  deniedBy?: string[]
  /** Words that choose an option, as expressions with `<letter>`. */
  chooses?: string[]
  magnitudes?: string
  joined?: string
}

export const languages = phrasesIn<Language[]>('languages')

/** Returns what all languages other than English have for a fact, as one expression; the longest words come first. */
export const inAnyLanguage = (fact: 'corrects' | 'minus' | 'denies' | 'compares' | 'deniedBy'): string =>
  languages
    .flatMap((language) => language[fact] ?? [])
    .sort((one, other) => other.length - one.length)
    .join('|')

const foreign = new Set(languages.flatMap(({ magnitudes = '' }) => wordsOf(magnitudes)))
const joined = new RegExp(
  `^(?:${languages
    .flatMap(({ joined = '' }) => wordsOf(joined))
    .filter(Boolean)
    .join('|')})`,
  'u',
)

/** Signs that multiply may stand before a unit: 千克 is a kilogram, 조각 a piece. */
export const unitOfSign = /^(?:千[克米瓦卡赫帕]|조각|만큼)/u

/** Whether a word behind a number makes another number of it in a language other than English, such as `triệu` or `5個半`. */
export function isForeignMagnitude(unit: string, touches: boolean): boolean {
  const written = unit.toLowerCase().normalize('NFC')
  if (unitOfSign.test(written)) return false
  const half = touches ? /[半반]$/u : /^[半반]$/u
  return foreign.has(written) || joined.test(written) || half.test(written) || /分之/.test(written)
}

interface English {
  parts: Readonly<Record<string, string>>
  forms: Readonly<Record<Form, string>>
  chooses: string[]
  facts: Readonly<Record<Fact, Phrase[]>>
  letters: Readonly<Record<'sure' | 'perhaps', Phrase[]>>
}

interface Phrase {
  /** An expression. */
  says: string
  /** Where case counts. */
  exact?: boolean
  /** A part of a reply whose reading changes without the phrase. */
  reply?: string
}

/** What a phrase may say of an answer. */
type Fact =
  | (
      | 'supposed'
      | 'mentioned'
      | 'conditional'
      | 'begins'
      | 'labelled'
      | 'partial'
      | 'remark'
      | 'quality'
      | 'pointer'
    )
  | ('restricted' | 'reasoning' | 'placeholder' | 'heading' | 'answerHeading' | 'nextQuestion' | 'remarkLine')
  | (
      | 'withdrawn'
      | 'doubted'
      | 'rejected'
      | 'correcting'
      | 'confirmed'
      | 'deniedBehind'
      | 'comesTo'
      | 'reason'
      | 'alternative'
      | 'denied'
      | 'letterDenied'
      | 'corrected'
    )
  | ('affirmed' | 'blamed' | 'concluded' | 'deniesAll' | 'affirms' | 'retracted' | 'unchosen' | 'negated')
  | ('leadIn' | 'letterReason')

/** How an answer is announced: `Answer:`, `the answer is`, `Answer -`, `<answer>`, `the correct choice is`. */
export type Form = 'label' | 'sentence' | 'dashed' | 'tag' | 'option'

const english = phrasesIn<English>('en')

/** The expressions of the forms of announcement, in English. */
export const forms = Object.fromEntries(
  Object.entries(english.forms).map(([form, source]) => [form, fillParts(source, english.parts)]),
) as Readonly<Record<Form, string>>

/** The words by which an option is chosen, in any language: expressions with `<letter>`. */
export const choices = [...english.chooses, ...languages.flatMap(({ chooses = [] }) => chooses)]

/** What English phrases say: each fact is an expression that matches where a phrase of it stands. */
export const says = Object.fromEntries(
  Object.entries(english.facts).map(([fact, phrases]) => {
    const sources = phrases.map((phrase) => fillParts(phrase.says, english.parts))
    return [fact, new RegExp(sources.join('|'), phrases[0]?.exact ? 'gu' : 'iu')]
  }),
) as Readonly<Record<Fact, RegExp>>

/** Where a text names a letter, beyond doubt and perhaps. One group of each match is the letter. */
export const letters = Object.fromEntries(
  Object.entries(english.letters).map(([how, phrases]) => [
    how,
    new RegExp(
      fillParts(phrases.map(({ says }) => says).join('|'), { noWord: "(?![\\p{L}\\p{N}'’^-])" }),
      'gu',
    ),
  ]),
) as Readonly<Record<'sure' | 'perhaps', RegExp>>
