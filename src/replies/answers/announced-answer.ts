import { deniedBehind, nextQuestion, withdrawn } from './announcement-words.ts'
import { type Announcement, isPointer, lastAnnouncement } from './announcements.ts'
import { textBelow } from './answer-below.ts'
import { lastBox } from './boxed.ts'
import { codeLines } from './code-lines.ts'
import { type Candidate, type FinalAnswer, hashAnswer, headedAnswer, tableAnswer } from './headed-answer.ts'
import { isAnswerLine, lineBefore } from './last-line.ts'
import { isBareMarks, stripMarkup } from './markup.ts'
import { isRemarkLine } from './remark-line.ts'

/**
 * Returns what the last announcement of a reply announces. A loose one, such as `for n = 3 the answer is 41`, counts only if no plain
 * one stands before it; a weak one, such as `the answer is a long way off`, only if there is no other. The text is empty if the reply
 * withdraws its answer. With `ofOption`, the words `the correct choice is` announce, too.
 */
export function announcedAnswer(reply: string, ofOption: boolean): FinalAnswer | undefined {
  const lines = reply.split('\n')
  const next = lines.findIndex((line) => nextQuestion.test(line.slice(0, 80)))
  // A model that goes on with another question answers that one, too.
  const own = next > 0 ? answerAbove(lines, next, ofOption) : undefined
  return own ?? announcedIn(lines, ofOption)
}

function answerAbove(lines: readonly string[], next: number, ofOption: boolean): FinalAnswer | undefined {
  const own = announcedIn(lines.slice(0, next), ofOption)
  if (own && own.force !== 'weak') return own
  const last = lines[lineBefore(lines, next)] ?? ''
  if (!isAnswerLine(last)) return undefined
  return {
    text: stripMarkup(last.replace(/^\s{0,9}(?:#{4}|A\s?[:：])/, '')),
    found: 'the last line before another question',
  }
}

/** Returns the announced answer of some lines; a later question is one of them. */
function announcedIn(lines: readonly string[], ofOption: boolean): Candidate | undefined {
  const inCode = codeLines(lines)
  const last = lineBefore(lines, lines.length)
  const endsInValue = isShortLine(lines[last] ?? '')
  let loose: Candidate | undefined
  let weak: Candidate | undefined
  for (let at = last; at >= 0; at--) {
    const candidate =
      hashAnswer(lines, at, last) ??
      lineAnswer(lines, at, inCode[at] ?? false, ofOption) ??
      tableAnswer(lines, at) ??
      headedAnswer(lines, at, last)
    if (candidate && candidate.force !== 'weak' && isWithdrawn(lines, at, candidate)) return loose ?? none
    if (candidate?.force === 'plain') return candidate
    if (loose && isAnswerLine(lines[at] as string)) return none
    if (candidate?.force === 'loose') loose ??= candidate
    else weak ??= candidate && (at === last || !endsInValue) ? candidate : undefined
  }
  return loose ?? weak
}

const none: Candidate = { text: '', found: 'an answer that the reply withdraws', force: 'plain' }

function isWithdrawn(lines: readonly string[], at: number, { text, end = at }: Candidate): boolean {
  const line = lines[end] as string
  const behind = line.slice(Math.max(0, line.lastIndexOf(text.slice(0, 60))))
  if (deniedBehind.test(behind.slice(0, 120))) return true
  let next = end + 1
  while (next < lines.length && isBareMarks(lines[next] as string)) next++
  return withdrawn.test((lines[next] ?? '').slice(0, 120))
}

const longestShort = 40

/** Whether a line may be an answer by itself. */
const isShortLine = (line: string) => {
  const text = stripMarkup(line.slice(0, 200))
  return text.length <= longestShort && text.split(/\s+/).length <= 4 && !isRemarkLine(line)
}

function lineAnswer(
  lines: readonly string[],
  at: number,
  inCode: boolean,
  ofOption: boolean,
): Candidate | undefined {
  const line = lines[at] as string
  const words = lastAnnouncement(line, inCode, ofOption)
  const box = lastBox(line, lines.slice(at + 1, at + 6))
  if (box && (words?.force !== 'plain' || words.start < box.start || isInside(words, box, line)))
    return boxedAnswer(box.text, at, ofOption)
  return words && announced(lines, at, words)
}

/** A box may hold an announcement itself: `\boxed{\text{Answer: B}}`. */
function boxedAnswer(content: string, at: number, ofOption: boolean): Candidate | undefined {
  const words = lastAnnouncement(content, false, ofOption)
  const text = stripMarkup(words?.rest ?? content)
  return text === '' ? undefined : { text, found: `\\boxed{…} on line ${at + 1}`, force: 'plain' }
}

function isInside(words: Announcement, box: { text: string; start: number }, line: string): boolean {
  const end = line.indexOf(box.text, box.start) + box.text.length
  return words.start < end
}

function announced(lines: readonly string[], at: number, words: Announcement): Candidate | undefined {
  const label = JSON.stringify(stripMarkup(words.words.replace(/[*_`]+/g, '')).slice(0, 60))
  const same = isPointer(words.rest) ? '' : stripMarkup(quotedValue(words))
  if (same !== '' && !isBareMarks(same))
    return { text: same, found: `what follows ${label} on line ${at + 1}`, force: words.force }
  const below = textBelow(lines, at, words.rest)
  const text = below && stripMarkup(below.text)
  return text
    ? { text, found: `what stands below ${label} on line ${at + 1}`, force: words.force, end: below.end }
    : undefined
}

/** In JSON, as in `{"answer": "B", "sure": true}`, the answer ends with its value. */
function quotedValue({ words, rest }: Announcement): string {
  if (!/["']\s{0,9}:$/.test(words)) return rest
  const [value] = /^\s{0,9}(?:"(?:[^"\\]|\\.)*"|[^,}\]]*)/.exec(rest) ?? []
  return value ?? rest
}
