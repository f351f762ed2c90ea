import { scanReply } from '../scan.ts'
import { partsOf } from '../scan-regions.ts'
import { type Announcement, isPointer, lastAnnouncement, type Rank } from './announcement.ts'
import { lastBox } from './boxes.ts'
import { withCorrection } from './corrections.ts'
import { isBareMarks, lineBefore, stripMarkup, textBelow } from './markup.ts'
import { says } from './phrases.ts'
import { pickedLetter } from './picked-letter.ts'
import { behindWithdrawal, isTakenBack } from './withdrawal.ts'

/** The final answer of a reply. */
export interface FinalAnswer {
  /** Without markup around it. */
  text: string
  /** Where it stood, in words: `what follows "Answer:" on line 12`. */
  found: string
  /** How surely it is announced; undefined for a last line and for what a pattern matches. */
  force?: Rank
}

/** A text that may be the final answer. */
interface Candidate extends FinalAnswer {
  force: Rank
  /** The index of the line on which it ends, if that is another one. */
  end?: number
}

/**
 * Returns what the last announcement of a reply announces. A loose one, such as `for n = 3 the answer is 41`, counts only if no plain
 * one stands before it; a weak one, such as `the answer is a long way off`, only if there is no other. The text is empty if the reply
 * withdraws its answer. With options, the words `the correct choice is` announce, too.
 */
export function announcedAnswer(reply: string, options: readonly string[]): FinalAnswer | undefined {
  const lines = reply.split('\n')
  const next = lines.findIndex((line) => says.nextQuestion.test(line.slice(0, 80)))
  // A model that goes on with another question answers that one, too.
  const own = next > 0 ? answerAbove(lines, next, options) : undefined
  return own ?? bestCandidate(lines, options)
}

function answerAbove(
  lines: readonly string[],
  next: number,
  options: readonly string[],
): FinalAnswer | undefined {
  const own = bestCandidate(lines.slice(0, next), options)
  if (own && own.force !== 'weak') return own
  const last = lines[lineBefore(lines, next)] ?? ''
  if (!isAnswerLine(last)) return undefined
  return {
    text: stripMarkup(last.replace(/^\s{0,9}(?:#{4}|A\s?[:：])/, '')),
    found: 'the last line before another question',
  }
}

/** Returns the last candidate of the highest rank; none if the reply withdraws it. A weak one counts only if no value stands last. */
function bestCandidate(lines: readonly string[], options: readonly string[]): Candidate | undefined {
  const inCode = codeLines(lines)
  const last = lineBefore(lines, lines.length)
  const endsInValue =
    isShort(stripMarkup((lines[last] ?? '').slice(0, 200)), 40, 4) && !isRemarkLine(lines[last] ?? '')
  const best: Partial<Record<Rank, Candidate>> = {}
  let takenBack = -1
  for (let at = last; at >= 0; at--) {
    const found =
      hashAnswer(lines, at, last) ??
      lineAnswer(lines, at, last, inCode, options) ??
      tableAnswer(lines, at) ??
      headedAnswer(lines, at, last)
    const matters = found && !(found.force === 'weak' && best.weak)
    const candidate = matters ? withCorrection(lines, at, found, options) : undefined
    const isWithdrawn = candidate && (takenBack > (candidate.end ?? at) || isTakenBack(lines, at, candidate))
    if (isWithdrawn && candidate.force !== 'weak') return best.loose ?? none
    if (takenBack < 0 && behindWithdrawal(lines[at] as string, 'later') !== undefined) takenBack = at
    if (isWithdrawn) continue
    if (candidate?.force === 'plain') return candidate
    if (best.loose && isAnswerLine(lines[at] as string)) return none
    if (candidate && (candidate.force === 'loose' || at === last || !endsInValue))
      best[candidate.force] ??= candidate
  }
  return best.loose ?? best.weak
}

/** Returns a function that says whether a line stands within a block of code that is closed. It scans the reply when it is first called. */
function codeLines(lines: readonly string[]): (at: number) => boolean {
  let inCode: boolean[] | undefined
  return (at) => {
    inCode ??= blocksOf(lines)
    return inCode[at] ?? false
  }
}

function blocksOf(lines: readonly string[]): boolean[] {
  const inCode = lines.map(() => false)
  for (const part of partsOf(scanReply(lines.join('\n')).regions))
    if (part.kind === 'fence' && part.isClosed) inCode.fill(true, part.firstLine, part.endLine)
  return inCode
}

const none: Candidate = { text: '', found: 'an answer that the reply withdraws', force: 'plain' }

const isShort = (text: string, most: number, mostWords: number) =>
  text.length <= most && text.split(/\s+/).length <= mostWords

function lineAnswer(
  lines: readonly string[],
  at: number,
  last: number,
  inCode: (at: number) => boolean,
  options: readonly string[],
): Candidate | undefined {
  const line = lines[at] as string
  const words =
    lastAnnouncement(line, () => inCode(at), options.length > 0) ??
    (options.length > 0 ? pickedLetter(line, options, at === last) : undefined)
  const box = lastBox(line, lines.slice(at + 1, at + 6))
  if (!box || (words?.rank === 'plain' && words.start >= box.end)) return words && announced(lines, at, words)
  // A box may hold an announcement itself: `\boxed{\text{Answer: B}}`.
  const text = stripMarkup(lastAnnouncement(box.text, () => false, options.length > 0)?.rest ?? box.text)
  return text === '' ? undefined : { text, found: `\\boxed{…} on line ${at + 1}`, force: 'plain' }
}

function announced(lines: readonly string[], at: number, words: Announcement): Candidate | undefined {
  const label = JSON.stringify(stripMarkup(words.words.replace(/[*_`]+/g, '')).slice(0, 60))
  const same = isPointer(words.rest) ? '' : stripMarkup(quotedValue(words))
  if (same !== '' && !isBareMarks(same))
    return { text: same, found: `what follows ${label} on line ${at + 1}`, force: words.rank }
  const below = textBelow(lines, at, words.rest)
  const text = below && stripMarkup(below.text)
  if (!text) return undefined
  return { text, found: `what stands below ${label} on line ${at + 1}`, force: words.rank, end: below.end }
}

/** In JSON, as in `{"answer": "B", "sure": true}`, the answer ends with its value. */
function quotedValue({ words, rest }: Announcement): string {
  if (!/["']\s{0,9}:$/.test(words)) return rest
  return /^\s{0,9}(?:"(?:[^"\\]|\\.)*"|[^,}\]]*)/.exec(rest)?.[0] ?? rest
}

/**
 * Returns what follows `####` if it is one number or one word, on the last line or before remarks. A word may be a heading, so it
 * gives way to an announcement.
 */
function hashAnswer(lines: readonly string[], at: number, last: number): Candidate | undefined {
  const [, behind = ''] = /^[ \t]{0,9}####([^#].{0,200})$/.exec(lines[at] as string) ?? []
  if (behind === '') return undefined
  const text = stripMarkup(behind)
  const isNumber = /^[-+−–]?\s?[$€£¥]?\s?[-−–]?\d[\d.,\s]*(?:%|\\%)?\.?$/.test(text)
  if (text === '' || (!isNumber && /\s/.test(text)) || /[:：]$/.test(text)) return undefined
  if (at < last && (says.heading.test(text) || !isRemarked(lines, at, last))) return undefined
  return { text, found: `what follows "####" on line ${at + 1}`, force: isNumber ? 'plain' : 'weak' }
}

const mostRemarks = 5

/** Whether all that follows a line is a few remarks. */
function isRemarked(lines: readonly string[], at: number, last: number): boolean {
  if (last - at > 4 * mostRemarks) return false
  const said = lines.slice(at + 1, last + 1).filter((line) => !isBareMarks(line))
  return said.length > 0 && said.length <= mostRemarks && said.every(isRemarkLine)
}

const tableRow =
  /^\s{0,9}\|\s{0,9}[*_]{0,3}(?:(?:final|correct) )?answer[*_]{0,3}:?[*_]{0,3}\s{0,9}\|([^|]{1,200})\|\s{0,9}$/i

/** Returns the second cell of a table row of two whose first is `Answer`. The first row of a table has no answer. */
function tableAnswer(lines: readonly string[], at: number): Candidate | undefined {
  const [, cell = ''] = tableRow.exec((lines[at] as string).slice(0, 300)) ?? []
  const text = cell && stripMarkup(cell)
  if (text === '' || /^\s*\|\s*:?-/.test(lines[at + 1] ?? '')) return undefined
  return { text, found: `the cell beside "Answer" on line ${at + 1}`, force: 'plain' }
}

/** Returns the text under a heading such as `## Answer`. If more follows, it must be short: else reasoning may begin there. */
function headedAnswer(lines: readonly string[], at: number, last: number): Candidate | undefined {
  const line = lines[at] as string
  if (line.length > 100 || !says.answerHeading.test(line)) return undefined
  const below = textBelow(lines, at, '')
  const text = below && stripMarkup(below.text)
  const isWhole = below?.end === last
  const isAnswer = (said: string, from: string) =>
    isShort(said, 60, 5) &&
    !/[:：,;]$|\n/.test(said) &&
    !/^\s{0,9}(?:#|\d{1,2}[.)]\s)/.test(from) &&
    !says.heading.test(said)
  if (!text || !(isWhole || isAnswer(text, lines[below.end] as string))) return undefined
  return { text, found: `what stands below the heading on line ${at + 1}`, force: 'plain', end: below.end }
}

const isRemarkLine = (line: string): boolean => says.remarkLine.test(stripMarkup(line.slice(0, 200)))

/** Whether a line is a number behind `####` or `A:`. It may be an answer itself, so that the line below it may be a remark. */
const isAnswerLine = (line: string): boolean =>
  /^\s{0,9}(?:####|A\s?[:：])\s{0,9}[-−–$€£]{0,2}\d[\d.,]*%?\s*$/.test(line.slice(0, 100))

const listItem = /^\s{0,9}(?:[-*•+‣]|\d{1,2}[.)])\s/

/**
 * Returns the last line of a reply that holds more than marks, if it may be an answer. An item of a list of
 * several is not. A remark such as `(Confidence: 90%)` is skipped; the line before it counts if it is short.
 */
export function lastLine(reply: string): FinalAnswer | undefined {
  const lines = reply.split('\n')
  const last = lineBefore(lines, lines.length)
  let at = last
  while (at >= 0 && isRemarkLine(lines[at] as string)) at = lineBefore(lines, at)
  const line = lines[at] ?? ''
  const text = stripMarkup(line.replace(/^\s{0,9}#{1,6}\s{1,9}/, ''))
  if (text === '' || (at < last && text.length > 40)) return undefined
  const above = lines[lineBefore(lines, at)] ?? ''
  if ((listItem.test(line) && listItem.test(above)) || isAnswerLine(above)) return undefined
  return { text, found: at < last ? `line ${at + 1}, before a remark` : 'the last line' }
}
