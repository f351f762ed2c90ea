import { join } from 'node:path'
import { allSteps, stepName } from '../../loop/journal/ledger-index.ts'
import { isSameQuestion } from '../../loop/record/people.ts'
import { readPeople } from '../../loop/record/people-file.ts'
import { recordedTrials } from '../../loop/record/records.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import type { AnswerLine, PeopleLine, ShownText, WaitsLine } from '../../schema/run/people.ts'
import { shellWord } from '../../text/shell-word.ts'
import { shorten } from '../../text/shorten.ts'

/** Renders a question with the texts that a person reads, escape sequences shown as text. `folder` is the run folder. */
export function questionText({ show, question }: WaitsLine, folder: string): string {
  return [...show.map((shown) => shownText(shown, folder)), safeText(question)].join('\n\n')
}

/** Names a trial that asks: `74b5d9451926  fanout on essay, epoch 1`. */
export function askingTrial({ trial, method, task, epoch }: WaitsLine): string {
  return safeLine(`${trial.slice(0, 12)}  ${method} on ${task}, epoch ${epoch}`)
}

function shownText({ path, text, blob, moreLines = 0 }: ShownText, folder: string): string {
  const lines = safeText(text.replace(/\n$/, '')).split('\n')
  const rest =
    blob === undefined ? [] : [`… ${restText(moreLines)}; the whole text: ${join(folder, 'blobs', blob)}`]
  return [
    safeLine(path),
    ...lines.map((line) => `  | ${line}`.trimEnd()),
    ...rest.map((line) => `  ${line}`),
  ].join('\n')
}

const restText = (lines: number) => (lines === 0 ? 'more' : `${lines} more ${lines === 1 ? 'line' : 'lines'}`)

/** A question of a trial. */
export interface AskedTrial {
  question: WaitsLine
  /** `ended`: the trial has a record. `taken`: a step holds an answer. */
  state: 'waits' | 'taken' | 'ended'
  /** The answer that the trial takes when the run is resumed. */
  answer: AnswerLine | undefined
}

/** Returns the last question of each trial that has waited for a person, in the order of asking. */
export function askedTrials(folder: string, lines: readonly PeopleLine[]): AskedTrial[] {
  const questions = new Map<string, WaitsLine>()
  for (const line of lines) {
    if (line.type !== 'waits') continue
    questions.delete(line.trial)
    questions.set(line.trial, line)
  }
  if (questions.size === 0) return []
  const ended = new Set([...recordedTrials(folder)].map(({ trial }) => trial))
  const { answered, taken } = readApprovals(folder, questions)
  return [...questions.values()].map((question) => ({
    question,
    state: ended.has(question.trial) ? 'ended' : answered.has(question.trial) ? 'taken' : 'waits',
    answer: lines.findLast(
      (line): line is AnswerLine =>
        line.type === 'answer' && isSameQuestion(line, question) && !taken.has(line.id),
    ),
  }))
}

/** Says how many trials of a run wait for a person; undefined if none does. */
export async function waitingNote(folder: string): Promise<string | undefined> {
  const waiting = askedTrials(folder, await readPeople(folder)).filter(({ state }) => state === 'waits')
  return waiting.length === 0
    ? undefined
    : `${counted(waiting.length, 'trial')} of this run asked a person and did not go on yet: bench approve ${shellWord(folder)}`
}

function readApprovals(folder: string, questions: ReadonlyMap<string, WaitsLine>) {
  const answered = new Set<string>()
  const taken = new Set<string>()
  for (const step of allSteps(folder)) {
    const question = questions.get(step.trial)
    if (!question) continue
    if (step.kind === 'void' && step.keys.includes(stepName(question.key, 1))) answered.delete(step.trial)
    if (step.kind !== 'approval') continue
    if (step.answer !== undefined) taken.add(step.answer)
    if (step.key === question.key && step.hash === question.hash) answered.add(step.trial)
  }
  return { answered, taken }
}

/** Words that a person may mean as yes, or as abort, and that say nothing about what should change. */
const unclear = new Set(
  `y yep yeah yea yup yes ok okay okey k sure fine good great right correct approve approves approved accept accepted agree agreed
  proceed continue go lgtm n no nah nope not reject rejects rejected deny denied decline declined disagree wrong bad stop halt cancel
  cancelled quit exit abort aborted`.split(/\s+/),
)

/**
 * Parses what a person says: `yes`, `abort`, or else what should change. Returns undefined for a text without words, and for a
 * word alone that may mean either.
 */
export function parseAnswer(text: string): ApprovalAnswer | undefined {
  const said = text.trim()
  const word = said.toLowerCase()
  if (word === 'yes') return { decision: 'approved', feedback: '' }
  if (word === 'abort') return { decision: 'abort', feedback: '' }
  return answerProblem(said) === undefined ? { decision: 'feedback', feedback: said } : undefined
}

const longestFeedback = 4095

/**
 * Parses a line of a file of answers: `yes`, `abort`, or `feedback: TEXT`. Returns why it is none otherwise, without
 * quoting it: the file may be another one than was meant.
 */
export function parseAnswerLine(line: string): ApprovalAnswer | string {
  const [, feedback] = /^feedback:(.*)$/i.exec(line.trim()) ?? []
  const word = line.trim().toLowerCase()
  if (feedback === undefined) {
    if (word === 'yes') return { decision: 'approved', feedback: '' }
    if (word === 'abort') return { decision: 'abort', feedback: '' }
    return 'this is no answer'
  }
  const said = feedback.trim()
  if (said.length > longestFeedback) return `the feedback has more than ${longestFeedback} characters`
  if (/[\p{Cc}\p{Cs}]/u.test(said.replaceAll('\t', ' '))) return 'the feedback has control characters'
  const problem = answerProblem(said)
  return problem === undefined ? { decision: 'feedback', feedback: said } : `the feedback ${problem}`
}

/** Returns why a text that is neither `yes` nor `abort` is no answer; undefined for feedback. */
export function answerProblem(text: string): string | undefined {
  if (text.trim() === '') return 'is empty'
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.every((word) => unclear.has(word)) ? `"${shorten(text.trim())}" alone is unclear` : undefined
}

/** What to answer instead. */
export const answerFix = 'Write yes, abort, or say what should change.'

/** Returns an answer as a person writes it. */
export function answerText({ decision, feedback }: ApprovalAnswer): string {
  return decision === 'approved' ? 'yes' : decision === 'abort' ? 'abort' : feedback
}
