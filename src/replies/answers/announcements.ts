import {
  announcement,
  canAnnounce,
  condition,
  mentions,
  notAnswer,
  optionAnnouncement,
  reasoning,
  remark,
  supposes,
} from './announcement-words.ts'

/** The words of a line that announce an answer. */
export interface Announcement {
  /** As written, such as `Answer:`. */
  words: string
  /** What follows the words. */
  rest: string
  /** Where the words begin. */
  start: number
  /** Whether it surely announces: a weaker one, such as a remark about the answer, gives way to any other. */
  isSure: boolean
}

/** Returns the last announcement of a line. Within code it must begin its line, because a program prints such words, too. */
export function lastAnnouncement(line: string, inCode: boolean, ofOption: boolean): Announcement | undefined {
  if (!canAnnounce.test(line)) return undefined
  const found = [...line.matchAll(ofOption ? optionAnnouncement : announcement)]
  let weak: Announcement | undefined
  for (let i = found.length - 1; i >= 0; i--) {
    const match = found[i] as RegExpExecArray
    if (inCode && (/[^\s#/*>"'_-]/.test(line.slice(0, match.index)) || match[0].endsWith('='))) continue
    const before = line.slice(Math.max(0, match.index - farBefore), match.index)
    const earlier = found[i - 1]
    // `The answer is 3, or the answer is 4` announces two.
    const isSecond = earlier !== undefined && alternative.test(before)
    const from = isSecond ? earlier.index + earlier[0].length : match.index + match[0].length
    const rest = line.slice(from)
    const isSure = sureness(match, before, rest)
    if (isSure === undefined) continue
    const made = { words: match[0], rest: cutTag(rest), start: match.index, isSure }
    if (isSure) return made
    weak ??= made
  }
  return weak
}

const nearby = 80
const farBefore = 200
const alternative = /\b(?:and|or) (?:else )?(?:that )?(?:the )?(?:final |correct |right )?$/i

/** Returns whether an announcement is sure; undefined if it is none. */
function sureness({ groups = {} }: RegExpExecArray, before: string, rest: string): boolean | undefined {
  if (groups.tag !== undefined) return true
  const plain = rest.slice(0, nearby).trimStart()
  if (isPlaceholder(plain) || /^["'`”’][\s,.;)]/.test(plain)) return undefined
  if (reasoning.test(plain) || (groups.casual !== undefined && /^[([{]$/.test(plain.trim()))) return undefined
  if (groups.explicit !== undefined) return mentions.test(before) ? undefined : true
  if (groups.dashed !== undefined)
    return notAnswer.test(plain) ? undefined : isMarked(plain) || isShort(plain)
  if (/\bwould\b/i.test(groups.casual ?? '') && condition.test(before)) return false
  if (supposes.test(before) || /^not\b|^n['’]t\b/i.test(plain)) return undefined
  if (groups.option !== undefined)
    return isMarked(plain) || /^[A-Z](?![\p{L}\p{N}])/iu.test(plain) ? true : undefined
  return isMarked(plain) || isShort(plain)
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
  const end = rest.search(/<\/(?:final[_ -]?)?answer>/i)
  return end < 0 ? rest : rest.slice(0, end)
}
