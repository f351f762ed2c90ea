import type { TrialRecord } from '../schema/record.ts'
import type { Spending } from '../schema/tokens.ts'
import { hexOf } from './hex.ts'
import type { LedgerMark } from './ledger-mark.ts'
import { insideOf, moreOf, numberText, rare, scoresText } from './line-text.ts'

/** A record with the mark of its trial, but for the two braces at its end: a seal may follow. */
export function openRecordText(record: TrialRecord, { lines, sum }: LedgerMark): string {
  const { delivered, wall } = record
  return `{"schemaVersion":${record.schemaVersion},"trial":"${record.trial}",${cellText(record)},"epoch":${record.epoch},${howText(record)}${rare('detail', record.detail)},${gradedText(record)}${rare('answer', record.answer)},"delivered":${delivered === null ? 'null' : `"${delivered}"`},"spent":${spentText(record.spent)}${delayText(record)},${workText(record)}${record.durationMs}${pathText(record)}${fidelityText(record)},"wall":{"startedAt":"${wall.startedAt}","ms":${wall.ms},"steps":${lines},"stepsSum":"${sumText(sum)}"`
}

let lastCell: TrialRecord | undefined
let lastCellText = ''

function cellText(record: TrialRecord): string {
  const { task, suite, method, agents, agentSet } = record
  const last = lastCell
  if (
    !last ||
    last.task !== task ||
    last.suite !== suite ||
    last.method !== method ||
    last.agents !== agents ||
    last.agentSet !== agentSet
  )
    lastCellText = insideOf({ task, suite, method, agents, agentSet })
  lastCell = record
  return lastCellText
}

let lastHow: TrialRecord | undefined
let lastHowText = ''

function howText(record: TrialRecord): string {
  const { mode, simulated, profile, outcome, claimed } = record
  const last = lastHow
  if (
    !last ||
    last.mode !== mode ||
    last.simulated !== simulated ||
    last.profile !== profile ||
    last.outcome.status !== outcome.status ||
    last.outcome.reason !== outcome.reason ||
    last.claimed !== claimed
  )
    lastHowText = insideOf({ mode, simulated, profile, outcome, claimed })
  lastHow = record
  return lastHowText
}

let lastGraded: TrialRecord | undefined
let lastGradedScores = ''
let lastGradedText = ''

function gradedText(record: TrialRecord): string {
  const { passed, score } = record
  const scores = scoresText(record.scores)
  const last = lastGraded
  if (!last || last.passed !== passed || last.score !== score || lastGradedScores !== scores)
    lastGradedText = `"passed":${passed},"score":${numberText(score)},"scores":${scores}`
  lastGraded = record
  lastGradedScores = scores
  return lastGradedText
}

let lastWork: TrialRecord | undefined
let lastWorkText = ''

/** Up to where the duration stands. */
function workText(record: TrialRecord): string {
  const { gradingCostUsd, iterations } = record
  const last = lastWork
  if (!last || last.gradingCostUsd !== gradingCostUsd || last.iterations !== iterations)
    lastWorkText = `"gradingCostUsd":${numberText(gradingCostUsd)},"iterations":${iterations},"durationMs":`
  lastWork = record
  return lastWorkText
}

function delayText({ retries, waitMs, faults }: TrialRecord): string {
  return (retries ?? waitMs ?? faults) === undefined ? '' : moreOf({ retries, waitMs, faults })
}

/** How a trial of more than one ask went. */
function pathText(record: TrialRecord): string {
  const { overshoot, state, interventions, history, candidates, deliveredFrom, matched } = record
  if (
    (overshoot ?? state ?? interventions ?? history ?? candidates ?? deliveredFrom ?? matched) === undefined
  )
    return ''
  return moreOf({ overshoot, state, interventions, history, candidates, deliveredFrom, matched })
}

function fidelityText({ fidelity, ownJudge, sandbox }: TrialRecord): string {
  if (fidelity && fidelity.at === undefined && (ownJudge ?? sandbox) === undefined)
    return `,"fidelity":{"status":"${fidelity.status}"}`
  return moreOf({ fidelity, ownJudge, sandbox })
}

function spentText(spent: Spending): string {
  if ((spent.listCostUsd ?? spent.unknownListCost ?? spent.reported) !== undefined)
    return JSON.stringify(spent)
  if (spent.listCostUsd === null) return JSON.stringify(spent)
  return `{"input":${spent.input},"output":${spent.output},"cached":${spent.cached},"costUsd":${numberText(spent.costUsd)}${countsText(spent)}`
}

let lastCounts: Spending | undefined
let lastCountsText = ''

/** What a method did, which is the same in most trials of a cell, and the end of the object. */
function countsText(spent: Spending): string {
  const { calls, checks, unreportedTokens, unreportedCost } = spent
  const last = lastCounts
  if (
    !last ||
    last.calls !== calls ||
    last.checks !== checks ||
    last.unreportedTokens !== unreportedTokens ||
    last.unreportedCost !== unreportedCost
  )
    lastCountsText = `,${insideOf({ calls, checks, unreportedTokens, unreportedCost })}}`
  lastCounts = spent
  return lastCountsText
}

/** Without leading zeros; one sum in sixteen has any. */
const sumText = (sum: number) => (sum >>> 28 === 0 ? sum.toString(16) : hexOf(sum))
