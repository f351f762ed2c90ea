import { allSteps, stepName } from '../../loop/journal/ledger-index.ts'
import { isSameQuestion } from '../../loop/record/people.ts'
import { recordedTrials } from '../../loop/record/records.ts'
import type { AnswerLine, PeopleLine, WaitsLine } from '../../schema/run/people.ts'

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

/** Returns the trials whose question has an approval in the ledger, and the ids of the answers that steps took. */
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
