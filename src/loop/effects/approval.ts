import { dataCleaner, wellFormedText } from '../../replies/clean-data.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import type { ApprovalStep } from '../../schema/ledger/step.ts'
import type { Question, ShownText, WaitsLine } from '../../schema/run/people.ts'
import type { Approval, ApproveOptions } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { type Branch, runEffect } from '../branch/branch.ts'
import { checkText, toPlainObject } from '../branch/check-result.ts'
import { Interrupted, takeBranchStep } from '../branch/recorded-steps.ts'
import { type TrialState, withheldText } from '../branch/trial-state.ts'
import { stepHead } from '../journal/journal.ts'

/** Thrown when `approve()` is answered with abort: the trial ends as cancelled. */
export class Cancelled extends Error {}

/** Returns the decision on a question, as a step: the journaled one, or that of a person or of the run's policy. */
export async function approve(
  trialState: TrialState,
  branch: Branch,
  question: string,
  options: ApproveOptions = {},
): Promise<Approval> {
  const { show, onAbort } = checkOptions(question, options)
  return runEffect(branch, 'approve()', async (key) => {
    const hasTexts = Object.keys(show).length > 0
    const hash = digest({ approve: question, ...(hasTexts && { show }) })
    const recorded = takeBranchStep(trialState, branch, key, 1, hash, () => `approve: ${question}`)
    const given: GivenAnswer =
      recorded?.kind === 'approval'
        ? recorded
        : await answerNow(trialState, branch, { key, hash, question, show })
    trialState.approvals++
    if (given.by) trialState.people.approvals++
    const { decision, feedback } = given
    if (decision === 'abort' && onAbort === 'cancel') throw new Cancelled(question)
    if (decision === 'abort') trialState.aborted = question
    return { decision, feedback }
  })
}

function checkOptions(question: string, { show = {}, onAbort = 'cancel' }: ApproveOptions) {
  checkText('approve(): the question', question)
  const texts = toPlainObject('approve(): show', show)
  for (const [path, text] of Object.entries(texts)) checkText(`approve(): the text of ${path}`, text)
  if (onAbort !== 'cancel' && onAbort !== 'return')
    throw new Error(
      `[strategy] approve(): onAbort must be 'cancel' or 'return', got ${JSON.stringify(onAbort)}.`,
    )
  return { show: texts, onAbort }
}

interface Asked {
  key: string
  hash: string
  question: string
  show: Readonly<Record<string, string>>
}

/** Gets an answer and journals it. */
async function answerNow(trialState: TrialState, branch: Branch, asked: Asked): Promise<GivenAnswer> {
  const { key, hash, show } = asked
  const line = () => waitsLine(trialState, asked)
  const given = await findAnswer(trialState, branch, { trial: trialState.trial.id, key, hash, line })
  const shown = Object.keys(show)
  const step: ApprovalStep = {
    ...stepHead(trialState, 'approval', key, hash, branch.clock),
    question: questionText(trialState, asked),
    ...(shown.length > 0 && { shown }),
    ...given,
  }
  const { journal } = trialState.run
  journal?.step(step, trialState.ledgerChecksum)
  // Nobody is asked twice: what a person said must survive a crash.
  if (given.by === 'person') await journal?.syncSteps()
  return given
}

const questionText = ({ secret }: TrialState, { question }: Asked) => (secret ? withheldText : question)

function waitsLine(trialState: TrialState, asked: Asked): WaitsLine {
  const { trial } = trialState
  const { key, hash, show } = asked
  return {
    type: 'waits',
    ...{ trial: trial.id, key, hash, at: new Date().toISOString() },
    ...{ task: trial.cell.task, method: trial.cell.method.label, epoch: trial.epoch },
    question: questionText(trialState, asked),
    show: shownTexts(trialState, show),
  }
}

const mostLines = 60
const mostCharacters = 6000

/** Returns the texts that a person reads. A long one is cut, and stored whole in a blob. */
function shownTexts(
  { secret, run: { blobs } }: TrialState,
  show: Readonly<Record<string, string>>,
): ShownText[] {
  return Object.entries(show).map(([path, text]): ShownText => {
    if (secret) return { path, text: withheldText }
    const lines = text.split('\n')
    const excerpt = lines.slice(0, mostLines).join('\n').slice(0, mostCharacters)
    if (excerpt.length === text.length) return { path, text }
    const moreLines = lines.length - excerpt.split('\n').length
    return { path, text: excerpt, blob: blobs.put(text), moreLines }
  })
}

/** A question, and the line that a person reads. */
interface AskedQuestion extends Question {
  line(): WaitsLine
}

/** An answer, and who gave it; `by` is absent for the run's policy. */
type GivenAnswer = Pick<ApprovalStep, 'decision' | 'feedback' | 'by' | 'answer'>

/**
 * Answers a question of a running trial: with what a person has said in people.jsonl, else as the run's policy says. Without an
 * answer the trial waits: it is noted and interrupted.
 */
async function findAnswer(
  trialState: TrialState,
  { signal }: Branch,
  question: AskedQuestion,
): Promise<GivenAnswer> {
  const { run, taken } = trialState
  const said = run.people?.answerTo(question, taken)
  if (said) {
    taken.add(said.id)
    return { decision: said.decision, feedback: wellFormedText(said.feedback), by: 'person', answer: said.id }
  }
  const given = await answerByPolicy(trialState, signal, question).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted() : error
  })
  if (signal.aborted) throw new Interrupted()
  if (given) return given
  run.people?.wait(question.line())
  trialState.stopped = true
  throw new Interrupted()
}

async function answerByPolicy(
  { run, recorded, approvals: answered }: TrialState,
  signal: AbortSignal,
  question: AskedQuestion,
): Promise<GivenAnswer | undefined> {
  const { policy, askPerson, onDefault } = run.approvals
  const by = (answer: ApprovalAnswer | undefined, who: 'person' | 'file'): GivenAnswer | undefined =>
    answer && { ...dataCleaner(run.redact)(answer), by: who }
  switch (policy.policy) {
    case 'yes':
      onDefault?.()
      return { decision: 'approved', feedback: '' }
    case 'abort':
      return { decision: 'abort', feedback: '' }
    case 'file': {
      // Branches may come here in another order than in the session before, so recorded approvals count first.
      const left = [...(recorded?.steps.values() ?? [])].filter(({ kind }) => kind === 'approval').length
      return by(policy.answers[answered + left], 'file')
    }
    case 'ask':
      return by(await askPerson?.(question.line(), signal), 'person')
    case 'park':
      return undefined
  }
}
