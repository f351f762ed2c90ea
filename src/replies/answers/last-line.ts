import type { FinalAnswer } from './headed-answer.ts'
import { isBareMarks, stripMarkup } from './markup.ts'
import { isRemarkLine } from './remark-line.ts'

const longestShort = 40

/**
 * Returns the last line of a reply that holds more than marks, if it may be an answer. An item of a list of
 * several is not. A remark such as `(Confidence: 90%)` is skipped; the line before it counts if it is short.
 */
export function lastLine(reply: string): FinalAnswer | undefined {
  const lines = reply.split('\n')
  const last = lineBefore(lines, lines.length)
  let at = last
  while (at >= 0 && isRemarkLine(lines[at] as string)) at = lineBefore(lines, at)
  if (at < 0) return undefined
  const line = lines[at] as string
  const text = stripMarkup(line.replace(headingMarks, ''))
  if (text === '' || (at < last && text.length > longestShort)) return undefined
  const above = lineBefore(lines, at)
  const before = lines[above] ?? ''
  if ((listItem.test(line) && listItem.test(before)) || isAnswerLine(before)) return undefined
  return { text, found: at < last ? `line ${at + 1}, before a remark` : 'the last line' }
}

const headingMarks = /^\s{0,9}#{1,6}\s{1,9}/
const answerLine = /^\s{0,9}(?:####|A\s?[:：])\s{0,9}[-−–$€£]{0,2}\d[\d.,]*%?\s*$/

/** Whether a line is a number behind `####` or `A:`. It may be an answer itself, so that the line below it may be a remark. */
export const isAnswerLine = (line: string): boolean => answerLine.test(line.slice(0, 100))

const listItem = /^\s{0,9}(?:[-*•+‣]|\d{1,2}[.)])\s/

/** Returns the text of the last line of a text that holds more than marks, whatever it says. */
export function bottomLine(text: string): string {
  const lines = text.split('\n')
  const at = lineBefore(lines, lines.length)
  return at < 0 ? '' : stripMarkup(lines[at] as string)
}

/** Returns the index of the last line before another that holds more than marks; -1 without one. */
export function lineBefore(lines: readonly string[], before: number): number {
  let at = before - 1
  while (at >= 0 && (isBareMarks(lines[at] as string) || stripMarkup(lines[at] as string) === '')) at--
  return at
}
