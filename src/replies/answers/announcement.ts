import { type Form, forms, languages, says } from './phrases.ts'

/**
 * How surely an announcement announces: `plain` is a clear one, such as `Answer: 42` or `The answer is 42.`; `loose` one gives way to a
 * plain one before it, as `For n = 3 the answer is 41` does; `weak`, such as a remark about the answer, gives way to any other.
 */
export type Rank = 'plain' | 'loose' | 'weak'

/** The words of a line that announce an answer. */
export interface Announcement {
  /** As written, such as `Answer:`. */
  words: string
  /** What follows the words. */
  rest: string
  /** Where the words begin. */
  start: number
  rank: Rank
}

const others = languages.flatMap(({ answer = [] }) => answer).join('|')
const [isWord, isSign] = [
  languages.flatMap(({ is = [] }) => is),
  languages.map(({ isBehind = '' }) => isBehind),
].map((words, i) => words.join(i === 0 ? '|' : ''))
const closing = '["\'’”*_`)}\\]]{0,6}'
const wordStart = '(?<![\\p{L}\\p{N}])'
const sources: Readonly<Record<Form, string>> = {
  dashed: forms.dashed,
  label: `${wordStart}(?:${forms.label}|(?:${others})${closing}\\s{0,3}[:：])`,
  sentence: `${wordStart}(?:${forms.sentence}|(?:${others})(?:\\s(?:${isWord})(?![\\p{L}])|\\s?[${isSign}]))`,
  tag: forms.tag,
  option: wordStart + forms.option,
}
const expressionOf = (names: readonly Form[]) =>
  new RegExp(names.map((name) => `(?<${name}>${sources[name]})`).join('|'), 'giu')
const announcement = expressionOf(['dashed', 'label', 'sentence', 'tag'])
const optionAnnouncement = expressionOf(['dashed', 'label', 'sentence', 'tag', 'option'])

/** Whether a line can hold an announcement. It keeps most lines from the slower expressions. */
const canAnnounce = new RegExp(
  `answer|ans[*_: ：]|choice|option|letter|selection|statement|response|${others}`,
  'iu',
)

/** A fact about an announcement: from its own words, from what stands before it, or from what follows. */
type Told =
  | (
      | 'placeholder'
      | 'reasoning'
      | 'mentioned'
      | 'supposed'
      | 'conditional'
      | 'negated'
      | 'quality'
      | 'heading'
      | 'marked'
    )
  | ('short' | 'pointer' | 'begins' | 'ofAnswer' | 'stated' | 'namesOption' | 'isOpen')

/** The first row whose form and facts fit ranks an announcement; without one it announces nothing. */
const ranks: readonly (readonly [form: Form | 'any', told: readonly Told[], rank: Rank | 'none'])[] = [
  ['tag', [], 'plain'],
  ['any', ['placeholder'], 'none'],
  ['any', ['reasoning'], 'none'],
  ['sentence', ['isOpen'], 'none'],
  ['label', ['mentioned'], 'none'],
  ['label', ['supposed'], 'none'],
  ['label', ['ofAnswer'], 'plain'],
  ['label', [], 'loose'],
  ['dashed', ['heading'], 'none'],
  ['dashed', ['marked'], 'plain'],
  ['dashed', ['short'], 'plain'],
  ['dashed', [], 'weak'],
  ['any', ['conditional'], 'weak'],
  ['any', ['supposed'], 'none'],
  ['any', ['negated'], 'none'],
  ['any', ['quality'], 'none'],
  ['option', ['namesOption', 'stated'], 'plain'],
  ['option', ['namesOption'], 'loose'],
  ['sentence', ['pointer', 'begins'], 'plain'],
  ['sentence', ['pointer'], 'loose'],
  ['sentence', ['marked', 'stated'], 'plain'],
  ['sentence', ['marked'], 'loose'],
  ['sentence', ['short'], 'loose'],
  ['sentence', [], 'weak'],
]

/** Returns the last announcement of a line. Within code it must begin its line, because a program prints such words, too. */
export function lastAnnouncement(
  line: string,
  inCode: () => boolean,
  ofOption: boolean,
): Announcement | undefined {
  if (!canAnnounce.test(line)) return undefined
  const found = [...line.matchAll(ofOption ? optionAnnouncement : announcement)]
  let best: Announcement | undefined
  for (let i = found.length - 1; i >= 0 && best?.rank !== 'plain'; i--) {
    const match = found[i] as RegExpExecArray
    const isWithin = /[^\s#/*>"'_-]/.test(line.slice(0, match.index)) || match[0].endsWith('=')
    if (isWithin && inCode()) continue
    const before = line.slice(Math.max(0, match.index - farBefore), match.index)
    const earlier = found[i - 1]
    // `The answer is 3, or the answer is 4` announces two.
    const isSecond = earlier !== undefined && alternative.test(before)
    const rest = line.slice(isSecond ? earlier.index + earlier[0].length : match.index + match[0].length)
    const rank = rankOf(match, before, rest)
    if (rank === undefined || (rank !== 'plain' && best && (best.rank === 'loose' || rank === 'weak')))
      continue
    best = { words: match[0], rest: cutTag(rest), start: match.index, rank }
  }
  return best
}

const nearby = 80
const farBefore = 200
const alternative = /\b(?:and|or) (?:else )?(?:that )?(?:the )?(?:final |correct |right )?$/i

function rankOf(match: RegExpExecArray, before: string, rest: string): Rank | undefined {
  const form = Object.keys(match.groups ?? {}).find((name) => match.groups?.[name] !== undefined) as Form
  const told = whatIsTold(form, match[0], before, rest)
  const row = ranks.find(
    ([ofForm, facts]) => (ofForm === 'any' || ofForm === form) && facts.every((fact) => told[fact]()),
  )
  return row === undefined || row[2] === 'none' ? undefined : row[2]
}

/** The facts of an announcement, each looked up when a row asks for it. */
function whatIsTold(form: Form, words: string, before: string, rest: string): Record<Told, () => boolean> {
  const plain = rest.slice(0, nearby).trimStart()
  const isShort = () =>
    !says.remark.test(plain) && /^[^\s.!]{1,40}\s{0,3}[.!]?\s{0,3}(?:$|[A-Z(])/.test(plain)
  return {
    placeholder: () => says.placeholder.test(plain),
    reasoning: () => says.reasoning.test(plain),
    isOpen: () => /^[([{]$/.test(plain.trim()),
    mentioned: () => says.mentioned.test(before),
    supposed: () => (form !== 'label' || (plain !== '' && /\s/.test(words))) && says.supposed.test(before),
    ofAnswer: () => !/^ans/i.test(words) || says.labelled.test(before) || says.begins.test(before),
    heading: () => says.heading.test(plain),
    marked: () => isMarked(plain),
    short: isShort,
    conditional: () => form === 'sentence' && /\bwould\b/i.test(words) && says.conditional.test(before),
    negated: () => /^not\b|^n['’]t\b/i.test(plain),
    quality: () => says.quality.test(plain),
    namesOption: () => isMarked(plain) || /^[A-Z](?![\p{L}\p{N}])/iu.test(plain),
    pointer: () => isPointer(rest),
    begins: () => says.begins.test(before),
    stated: () => isStated(words, before, rest),
  }
}

const longestPointer = 300

/** Whether what follows an announcement only says that the answer stands below. */
export const isPointer = (rest: string): boolean =>
  rest.length <= longestPointer && says.pointer.test(rest.trimStart())

const longestValue = 60

/** Whether a sentence says what the answer is, and nothing else. */
function isStated(words: string, before: string, rest: string): boolean {
  const isUnsure = /\bwas\b|=/i.test(words) || (/\b(?:would|should)\b/i.test(words) && rest.trim() !== '')
  if (isUnsure || says.partial.test(words) || !says.begins.test(before)) return false
  if (/^[\s*_"“$]{0,9}[([][A-Z][)\]]/.test(rest)) return !/\bif\b/.test(rest.slice(0, nearby))
  const end = /[.!;](?=[\s"'*_)]|$)/.exec(rest.slice(0, nearby + longestValue))?.index ?? rest.length
  return end <= longestValue && !says.restricted.test(rest.slice(0, end))
}

/** Whether a text begins as an answer does: with a mark, a number, a capital letter, or nothing on its line. */
const isMarked = (text: string) =>
  !says.remark.test(text) && (text === '' || /^(?:[^\p{L}]|\p{Lu})/u.test(text) || answerStart.test(text))

const answerStart =
  /^(?:yes|no|true|false|option|choice)\b|^(?:about|around|approximately|roughly|nearly|at (?:least|most)) [$€£]?\d/i

function cutTag(rest: string): string {
  const end = rest.search(/<\/(?:final[_ -]?)?answer>|\[\/answer\]/i)
  return end < 0 ? rest : rest.slice(0, end)
}
