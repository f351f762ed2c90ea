import { randomUUID } from 'node:crypto'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { appendPeopleLine, readPeople } from '../../loop/record/people-file.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeText } from '../../reports/words/safe-text.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { shorten } from '../../text/shorten.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { openOwnRun } from '../open/open-run.ts'
import {
  type AskedTrial,
  answerFix,
  answerProblem,
  answerText,
  askedTrials,
  askingTrial,
  parseAnswer,
  questionText,
} from './questions.ts'

/** `bench approve RUN [TRIAL [ANSWER]]`: shows what trials ask, or answers one. The run takes the answer when it is resumed. */
export default async function approve(
  run: string,
  trial: string | undefined,
  answer: string | undefined,
): Promise<number> {
  const { folder, manifest } = openOwnRun(run, 'steered')
  const asked = askedTrials(folder, await readPeople(folder))
  if (trial === undefined) {
    const waiting = asked.filter(({ state }) => state === 'waits')
    process.stdout.write(listText(waiting, folder))
    return 0
  }
  const found = findAsked(asked, trial, folder)
  if (answer === undefined) {
    process.stdout.write(oneText(found, folder))
    return 0
  }
  const parsed = parseAnswer(answer)
  if (!parsed)
    throw new UserError(problemAt('bench approve', `the answer ${answerProblem(answer)}`, answerFix))
  const { redact } = findRunSecrets(manifest.secrets ?? [])
  const { trial: id, key, hash } = found.question
  const clean = redact?.data(parsed) ?? parsed
  appendPeopleLine(folder, {
    type: 'answer',
    id: randomUUID(),
    ...{ trial: id, key, hash, at: new Date().toISOString(), ...clean },
  })
  const replaced = found.answer ? `, in place of ${quoted(found.answer)}` : ''
  const read = parsed.decision === 'feedback' ? `with feedback ${quoted(clean)}` : answerText(parsed)
  process.stderr.write(
    `answered ${read}${replaced}. The trial goes on when the run is resumed: ${resumeCommand(folder)}\n`,
  )
  return 0
}

const quoted = (answer: ApprovalAnswer) => `"${safeText(shorten(answerText(answer)))}"`

function listText(waiting: readonly AskedTrial[], folder: string): string {
  if (waiting.length === 0) return 'no trial waits for a person\n'
  const count = `${counted(waiting.length, 'trial')} ${waiting.length === 1 ? 'waits' : 'wait'} for a person`
  return [`${count}\n`, ...waiting.map((one) => oneText(one, folder))].join('\n')
}

function oneText({ question, answer }: AskedTrial, folder: string): string {
  const run = shellWord(folder)
  const next = answer
    ? `Answered: ${safeText(answerText(answer))}\nTo go on: ${resumeCommand(run)}`
    : `To answer: bench approve ${run} ${question.trial.slice(0, 12)} yes   (or abort, or 'what should change')`
  return `Trial ${askingTrial(question)}\n\n${questionText(question, folder)}\n\n${next}\n`
}

function findAsked(asked: readonly AskedTrial[], beginning: string, folder: string): AskedTrial {
  if (beginning === '')
    throw new UserError({
      where: 'bench approve',
      what: 'the id of the trial is empty',
      fix: `bench approve ${shellWord(folder)} lists the trials that wait.`,
    })
  const found = asked.filter(({ question }) => question.trial.startsWith(beginning))
  const waiting = found.filter(({ state }) => state === 'waits')
  const [one] = waiting
  if (one && waiting.length === 1) return one
  throw new UserError({
    where: beginning,
    ...problemOf(found[0], waiting.length),
    ...(waiting.length < 2 && { fix: `bench approve ${shellWord(folder)} lists the trials that wait.` }),
  })
}

function problemOf(first: AskedTrial | undefined, waiting: number): Omit<Problem, 'where'> {
  if (waiting > 1)
    return {
      what: `${waiting} waiting trials have an id that starts with this`,
      fix: 'Write more of the id.',
    }
  if (first?.state === 'ended') return { what: 'the trial has ended, so it takes no answer' }
  if (first?.state === 'taken') return { what: 'the question was answered already, and the trial went on' }
  return { what: 'no trial that waits for a person has an id that starts with this' }
}
