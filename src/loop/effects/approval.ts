import { dataCleaner, wellFormedText } from '../../replies/clean-data.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import type { ApprovalStep } from '../../schema/ledger/step.ts'
import type { ShownText, WaitsLine } from '../../schema/run/people.ts'
import type { Approval, ApproveOptions } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { runEffect } from '../branch/branch.ts'
import { checkText, toPlainObject } from '../branch/check-result.ts'
import { Interrupted, stepHead, stopTrial, takeBranchStep, writeStep } from '../branch/recorded-steps.ts'
import { type Branch, type TrialState, withheldText } from '../branch/trial-state.ts'

/** Thrown when `approve()` is answered with abort: the trial ends as cancelled. */
export class Cancelled extends Error {}

/** Returns the decision on a question, as a step: the journaled one, or that of a person or of the run's policy. */
export async function approve(
  branch: Branch,
  question: string,
  options: ApproveOptions = {},
): Promise<Approval> {
  const { trialState } = branch
  const { show, onAbort } = checkOptions(question, options)
  return runEffect(branch, 'approve()', async (key) => {
    const hasTexts = Object.keys(show).length > 0
    const hash = digest({ approve: question, ...(hasTexts && { show }) })
    const recorded = takeBranchStep(branch, key, 1, hash, () => `approve: ${question}`)
    const given: GivenAnswer =
      recorded?.kind === 'approval' ? recorded : await answerNow(branch, { key, hash, question, show })
    trialState.people.approvals++
    if (given.by) trialState.people.counts.approvals++
    const { decision, feedback } = given
    if (decision === 'abort' && onAbort === 'cancel') throw new Cancelled(question)
    if (decision === 'abort') trialState.people.aborted = question
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

async function answerNow(branch: Branch, asked: Asked): Promise<GivenAnswer> {
  const { trialState } = branch
  const { key, hash, show } = asked
  const given = await findAnswer(branch, asked)
  const shown = Object.keys(show)
  const step: ApprovalStep = {
    ...stepHead(trialState, 'approval', key, hash, branch.clock),
    question: questionText(trialState, asked),
    ...(shown.length > 0 && { shown }),
    ...given,
  }
  writeStep(trialState, step)
  // Nobody is asked twice: what a person said must survive a crash.
  if (given.by === 'person') await trialState.run.journal?.syncSteps()
  return given
}

const questionText = ({ journal: { secret } }: TrialState, { question }: Asked) =>
  secret ? withheldText : question

function waitsLine(trialState: TrialState, asked: Asked): WaitsLine {
  const { trial } = trialState.plan
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
  { journal: { secret }, run: { blobs } }: TrialState,
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

/** An answer, and who gave it; `by` is absent for the run's policy. */
type GivenAnswer = Pick<ApprovalStep, 'decision' | 'feedback' | 'by' | 'answer'>

/**
 * Answers a question of a running trial: with what a person has said in people.jsonl, else as the run's policy says. Without an
 * answer the trial waits: it is noted and interrupted.
 */
async function findAnswer({ signal, trialState }: Branch, asked: Asked): Promise<GivenAnswer> {
  const { run } = trialState
  const { taken } = trialState.people
  const said = run.people?.answerTo({ ...asked, trial: trialState.plan.trial.id }, taken)
  if (said) {
    taken.add(said.id)
    return { decision: said.decision, feedback: wellFormedText(said.feedback), by: 'person', answer: said.id }
  }
  const given = await answerByPolicy(trialState, signal, asked).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted() : error
  })
  if (signal.aborted) throw new Interrupted()
  if (given) return given
  run.people?.wait(waitsLine(trialState, asked))
  return stopTrial(trialState)
}

async function answerByPolicy(
  trialState: TrialState,
  signal: AbortSignal,
  asked: Asked,
): Promise<GivenAnswer | undefined> {
  const { run, journal } = trialState
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
      const left = [...(journal.recorded?.steps.values() ?? [])].filter(
        ({ kind }) => kind === 'approval',
      ).length
      return by(policy.answers[trialState.people.approvals + left], 'file')
    }
    case 'ask':
      return by(await askPerson?.(waitsLine(trialState, asked), signal), 'person')
    case 'park':
      return undefined
  }
}
