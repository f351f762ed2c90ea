import type { ApprovalStep } from '../../schema/ledger/step.ts'
import type { WaitsLine } from '../../schema/run/people.ts'
import type { Approval, ApproveOptions } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { stepHead } from '../journal/journal.ts'
import { type Branch, runEffect } from '../state/branch.ts'
import { checkText, toPlainObject } from '../state/check-arguments.ts'
import { takeBranchStep } from '../state/recorded-steps.ts'
import { type TrialState, withheldText } from '../state/trial-state.ts'
import { findAnswer, type GivenAnswer } from './answer.ts'
import { shownTexts } from './shown-texts.ts'

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
