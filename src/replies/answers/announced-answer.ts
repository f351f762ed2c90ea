import { type Announcement, lastAnnouncement } from './announcements.ts'
import { textBelow } from './answer-below.ts'
import { lastBox } from './boxed.ts'
import { codeLines } from './code-lines.ts'
import { type Candidate, type FinalAnswer, hashAnswer, headedAnswer, tableAnswer } from './headed-answer.ts'
import { isBareMarks, stripMarkup } from './markup.ts'

/**
 * Returns what the last announcement of a reply announces. A weak one, such as `the answer is a long way off`, counts only if there is
 * no other. With `ofOption`, the words `the correct choice is` announce, too.
 */
export function announcedAnswer(reply: string, ofOption: boolean): FinalAnswer | undefined {
  const lines = reply.split('\n')
  const inCode = codeLines(lines)
  let last = lines.length - 1
  while (last >= 0 && isBareMarks(lines[last] as string)) last--
  let weak: Candidate | undefined
  for (let at = last; at >= 0; at--) {
    const candidate =
      hashAnswer(lines, at, last) ??
      lineAnswer(lines, at, inCode[at] ?? false, ofOption) ??
      tableAnswer(lines, at) ??
      headedAnswer(lines, at, last)
    if (candidate?.isSure) return candidate
    weak ??= candidate
  }
  return weak
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
  if (box && (!words?.isSure || words.start < box.start || isInside(words, box, line)))
    return boxedAnswer(box.text, at, ofOption)
  return words && announced(lines, at, words)
}

/** A box may hold an announcement itself: `\boxed{\text{Answer: B}}`. */
function boxedAnswer(content: string, at: number, ofOption: boolean): Candidate | undefined {
  const words = lastAnnouncement(content, false, ofOption)
  const text = stripMarkup(words?.rest ?? content)
  return text === '' ? undefined : { text, found: `\\boxed{…} on line ${at + 1}`, isSure: true }
}

function isInside(words: Announcement, box: { text: string; start: number }, line: string): boolean {
  const end = line.indexOf(box.text, box.start) + box.text.length
  return words.start < end
}

function announced(lines: readonly string[], at: number, words: Announcement): Candidate | undefined {
  const label = JSON.stringify(stripMarkup(words.words.replace(/[*_`]+/g, '')).slice(0, 60))
  const same = stripMarkup(quotedValue(words))
  if (same !== '' && !isBareMarks(same))
    return { text: same, found: `what follows ${label} on line ${at + 1}`, isSure: words.isSure }
  const below = textBelow(lines, at, words.rest)
  const text = below && stripMarkup(below.text)
  return text
    ? { text, found: `what stands below ${label} on line ${at + 1}`, isSure: words.isSure }
    : undefined
}

/** In JSON, as in `{"answer": "B", "sure": true}`, the answer ends with its value. */
function quotedValue({ words, rest }: Announcement): string {
  if (!/["']\s{0,9}:$/.test(words)) return rest
  const [value] = /^\s{0,9}(?:"(?:[^"\\]|\\.)*"|[^,}\]]*)/.exec(rest) ?? []
  return value ?? rest
}
