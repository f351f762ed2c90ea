import {
  announcement,
  canAnnounce,
  condition,
  labelled,
  mentions,
  notAnswer,
  optionAnnouncement,
  plainBefore,
  plainQuestion,
  pointsBelow,
  quality,
  reasoning,
  remark,
  restricts,
  supposes,
} from './announcement-words.ts'

/**
 * How surely an announcement announces: `plain` is a clear one, such as `Answer: 42` or `The answer is 42.`; `loose` one gives way to a
 * plain one before it, as `For n = 3 the answer is 41` does; `weak`, such as a remark about the answer, gives way to any other.
 */
export type Force = 'plain' | 'loose' | 'weak'

/** The words of a line that announce an answer. */
export interface Announcement {
  /** As written, such as `Answer:`. */
  words: string
  /** What follows the words. */
  rest: string
  /** Where the words begin. */
  start: number
  force: Force
}

/** Returns the last announcement of a line. Within code it must begin its line, because a program prints such words, too. */
export function lastAnnouncement(line: string, inCode: boolean, ofOption: boolean): Announcement | undefined {
  if (!canAnnounce.test(line)) return undefined
  const found = [...line.matchAll(ofOption ? optionAnnouncement : announcement)]
  let best: Announcement | undefined
  for (let i = found.length - 1; i >= 0; i--) {
    const match = found[i] as RegExpExecArray
    if (inCode && (/[^\s#/*>"'_-]/.test(line.slice(0, match.index)) || match[0].endsWith('='))) continue
    const before = line.slice(Math.max(0, match.index - farBefore), match.index)
    const earlier = found[i - 1]
    // `The answer is 3, or the answer is 4` announces two.
    const isSecond = earlier !== undefined && alternative.test(before)
    const from = isSecond ? earlier.index + earlier[0].length : match.index + match[0].length
    const rest = line.slice(from)
    const force = forceOf(match, before, rest)
    if (force === undefined) continue
    if (force !== 'plain' && best !== undefined && (best.force === 'loose' || force === 'weak')) continue
    best = { words: match[0], rest: cutTag(rest), start: match.index, force }
    if (force === 'plain') break
  }
  return best
}

const nearby = 80
const farBefore = 200
const alternative = /\b(?:and|or) (?:else )?(?:that )?(?:the )?(?:final |correct |right )?$/i

/** Returns how sure an announcement is; undefined for words that announce nothing. */
function forceOf(
  { 0: words, groups = {} }: RegExpExecArray,
  before: string,
  rest: string,
): Force | undefined {
  if (groups.tag !== undefined) return 'plain'
  const plain = rest.slice(0, nearby).trimStart()
  if (isPlaceholder(plain) || /^["'`”’][\s,.;)]/.test(plain)) return undefined
  if (reasoning.test(plain) || (groups.casual !== undefined && /^[([{]$/.test(plain.trim()))) return undefined
  if (groups.explicit !== undefined) {
    if (mentions.test(before) || (plain !== '' && /\s/.test(words) && supposes.test(before))) return undefined
    return isPlainLabel(words, before) ? 'plain' : 'loose'
  }
  if (groups.dashed !== undefined) {
    if (notAnswer.test(plain)) return undefined
    return isMarked(plain) || isShort(plain) ? 'plain' : 'weak'
  }
  if (/\bwould\b/i.test(groups.casual ?? '') && condition.test(before)) return 'weak'
  if (supposes.test(before) || /^not\b|^n['’]t\b/i.test(plain) || quality.test(plain)) return undefined
  const isStated = isPlainSentence(words, before, rest)
  if (groups.option !== undefined) {
    const isOption = isMarked(plain) || /^[A-Z](?![\p{L}\p{N}])/iu.test(plain)
    return isOption ? (isStated ? 'plain' : 'loose') : undefined
  }
  if (isPointer(rest)) return plainBefore.test(before) ? 'plain' : 'loose'
  if (!isMarked(plain)) return isShort(plain) ? 'loose' : 'weak'
  return isStated ? 'plain' : 'loose'
}

/** Whether nothing before a label such as `Answer:` makes it the label of something else. */
const isPlainLabel = (words: string, before: string) =>
  !/^ans/i.test(words) || labelled.test(before) || plainBefore.test(before)

const longestPointer = 300

/** Whether what follows an announcement only says that the answer stands below. */
export const isPointer = (rest: string): boolean =>
  rest.length <= longestPointer && pointsBelow.test(rest.trimStart())

const longestValue = 60

/** Whether a sentence says what the answer is, and nothing else. */
function isPlainSentence(words: string, before: string, rest: string): boolean {
  const isUnsure = /\bwas\b|=/i.test(words) || (/\b(?:would|should)\b/i.test(words) && rest.trim() !== '')
  if (isUnsure || plainQuestion.test(words) || !plainBefore.test(before)) return false
  if (/^[\s*_"“$]{0,9}[([][A-Z][)\]]/.test(rest)) return !/\bif\b/.test(rest.slice(0, nearby))
  const end = /[.!;](?=[\s"'*_)]|$)/.exec(rest.slice(0, nearby + longestValue))?.index ?? rest.length
  return end <= longestValue && !restricts.test(rest.slice(0, end))
}

const isPlaceholder = (text: string) =>
  /^[*_`"]{0,3}[[<({](?:insert |put |state )?(?:the |your |correct |final |chosen )*(?:letter|answer|number|option|choice|text|value)[^\])>}]{0,40}[\])>}][*_`"]{0,3}\.?$/i.test(
    text,
  )

/** Whether a text begins as an answer does: with a mark, a number, a capital letter, or nothing on its line. */
const isMarked = (text: string) =>
  !remark.test(text) && (text === '' || /^(?:[^\p{L}]|\p{Lu})/u.test(text) || answerStart.test(text))

const answerStart =
  /^(?:yes|no|true|false|option|choice)\b|^(?:about|around|approximately|roughly|nearly|at (?:least|most)) [$€£]?\d/i

/** Whether a text is one word. */
const isShort = (text: string) =>
  !remark.test(text) && /^[^\s.!]{1,40}\s{0,3}[.!]?\s{0,3}(?:$|[A-Z(])/.test(text)

function cutTag(rest: string): string {
  const end = rest.search(/<\/(?:final[_ -]?)?answer>|\[\/answer\]/i)
  return end < 0 ? rest : rest.slice(0, end)
}
