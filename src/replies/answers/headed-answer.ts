import { answerHeading, notAnswer } from './announcement-words.ts'
import type { Force } from './announcements.ts'
import { textBelow } from './answer-below.ts'
import { isBareMarks, stripMarkup } from './markup.ts'
import { isRemarkLine } from './remark-line.ts'

/** The final answer of a reply. */
export interface FinalAnswer {
  /** Without markup around it. */
  text: string
  /** Where it stood, in words: `what follows "Answer:" on line 12`. */
  found: string
  /** How surely it is announced; undefined for a last line and for what a pattern matches. */
  force?: Force
}

/** A text that may be the final answer. */
export interface Candidate extends FinalAnswer {
  force: Force
  /** The index of the line on which it ends, if that is another one. */
  end?: number
}

/**
 * Returns what follows `####` if it is one number or one word, on the last line or before remarks. A word may be a heading, so it
 * gives way to an announcement.
 */
export function hashAnswer(lines: readonly string[], at: number, last: number): Candidate | undefined {
  const [, behind = ''] = /^[ \t]{0,9}####([^#].{0,200})$/.exec(lines[at] as string) ?? []
  const text = stripMarkup(behind)
  const isNumber = /^[-+−–]?\s?[$€£¥]?\s?[-−–]?\d[\d.,\s]*(?:%|\\%)?\.?$/.test(text)
  if (text === '' || (!isNumber && /\s/.test(text)) || /[:：]$/.test(text)) return undefined
  if (at < last && (notAnswer.test(text) || !isRemarked(lines, at, last))) return undefined
  return { text, found: `what follows "####" on line ${at + 1}`, force: isNumber ? 'plain' : 'weak' }
}

const mostRemarks = 5

/** Whether all that follows a line is a few remarks. */
const isRemarked = (lines: readonly string[], at: number, last: number) => {
  const behind = last - at > 4 * mostRemarks ? [] : lines.slice(at + 1, last + 1)
  const said = behind.filter((line) => !isBareMarks(line))
  return said.length > 0 && said.length <= mostRemarks && said.every(isRemarkLine)
}

const tableRow =
  /^\s{0,9}\|\s{0,9}[*_]{0,3}(?:(?:final|correct) )?answer[*_]{0,3}:?[*_]{0,3}\s{0,9}\|([^|]{1,200})\|\s{0,9}$/i

/** Returns the second cell of a table row of two whose first is `Answer`. The first row of a table has no answer. */
export function tableAnswer(lines: readonly string[], at: number): Candidate | undefined {
  const [, cell = ''] = tableRow.exec((lines[at] as string).slice(0, 300)) ?? []
  const text = stripMarkup(cell)
  if (text === '' || /^\s*\|\s*:?-/.test(lines[at + 1] ?? '')) return undefined
  return { text, found: `the cell beside "Answer" on line ${at + 1}`, force: 'plain' }
}

/** Returns the text under a heading such as `## Answer`. If more follows, it must be short: else reasoning may begin there. */
export function headedAnswer(lines: readonly string[], at: number, last: number): Candidate | undefined {
  const line = lines[at] as string
  if (line.length > 100 || !answerHeading.test(line)) return undefined
  const below = textBelow(lines, at, '')
  const text = below && stripMarkup(below.text)
  if (!text || (below.end < last && !isShortAnswer(text, lines[below.end] as string))) return undefined
  return { text, found: `what stands below the heading on line ${at + 1}`, force: 'plain', end: below.end }
}

const longestShort = 60
const mostWords = 5

const isShortAnswer = (text: string, line: string) =>
  text.length <= longestShort &&
  text.split(/\s+/).length <= mostWords &&
  !/[:：,;]$|\n/.test(text) &&
  !/^\s{0,9}(?:#|\d{1,2}[.)]\s)/.test(line) &&
  !notAnswer.test(text)
