import type { TrialRecord } from '../schema/record.ts'
import type { Spending } from '../schema/tokens.ts'
import { hexOf } from './hex.ts'
import type { LedgerMark } from './ledger-mark.ts'
import { dollarsText, insideOf, moreOf, numberText, onePiece, scoresText, textJson } from './line-text.ts'

/** A record with the mark of its trial, but for the two braces at its end: a seal may follow. In few pieces, as each costs. */
export function openRecordText(record: TrialRecord, { lines, sum }: LedgerMark): string {
  const { trial, epoch, answer, durationMs, wall } = record
  const how = `${howText(record)}${gradedText(record)}${answer === undefined ? '' : `,"answer":${textJson(answer)}`}`
  const work = `${deliveredText(record)}${spentText(record.spent)}${workText(record)}${durationMs}${endText(record)}`
  return `{"schemaVersion":${record.schemaVersion},"trial":"${trial}${cellText(record)}${epoch}${how}${work}${wallText(wall, lines)}${sumText(sum)}"`
}

let lastCell: TrialRecord | undefined
let lastCellText = ''

/** From the end of the trial to where the epoch stands. */
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
  ) {
    lastCell = record
    lastCellText = onePiece`",${insideOf({ task, suite, method, agents, agentSet })},"epoch":`
  }
  return lastCellText
}

let lastHow: TrialRecord | undefined
let lastHowText = ''

function howText(record: TrialRecord): string {
  const { mode, simulated, profile, outcome, claimed, detail } = record
  const last = lastHow
  if (
    !last ||
    last.mode !== mode ||
    last.simulated !== simulated ||
    last.profile !== profile ||
    last.outcome.status !== outcome.status ||
    last.outcome.reason !== outcome.reason ||
    last.claimed !== claimed ||
    last.detail !== detail
  ) {
    lastHow = record
    lastHowText = onePiece`,${insideOf({ mode, simulated, profile, outcome, claimed, detail })}`
  }
  return lastHowText
}

let lastGraded: TrialRecord | undefined
let lastGradedScores = ''
let lastGradedText = ''

function gradedText(record: TrialRecord): string {
  const { passed, score } = record
  const scores = scoresText(record.scores)
  const last = lastGraded
  if (!last || last.passed !== passed || last.score !== score || lastGradedScores !== scores) {
    lastGraded = record
    lastGradedScores = scores
    lastGradedText = onePiece`,"passed":${passed},"score":${numberText(score)},"scores":${scores}`
  }
  return lastGradedText
}

const deliveredText = ({ delivered }: TrialRecord) =>
  delivered === null ? ',"delivered":null,"spent":' : `,"delivered":"${delivered}","spent":`

let lastSpent: Spending | undefined
let lastSpentText = ''

function spentText(spent: Spending): string {
  const { input, output, cached, costUsd } = spent
  if (spent.listCostUsd !== undefined || (spent.unknownListCost ?? spent.reported) !== undefined)
    return JSON.stringify(spent)
  if (lastSpent?.input !== input) {
    lastSpent = spent
    lastSpentText = onePiece`{"input":${input},"output":`
  }
  return `${lastSpentText}${output}${cached === 0 ? noneCached : `,"cached":${cached},"costUsd":`}${dollarsText(costUsd)}${countsText(spent)}`
}

const noneCached = ',"cached":0,"costUsd":'

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
  ) {
    lastCounts = spent
    lastCountsText = onePiece`,${insideOf({ calls, checks, unreportedTokens, unreportedCost })}}`
  }
  return lastCountsText
}

let lastWork: TrialRecord | undefined
let lastWorkText = ''

/** Up to where the duration stands. */
function workText(record: TrialRecord): string {
  const { retries, waitMs, faults, gradingCostUsd, iterations } = record
  const last = lastWork
  if (
    !last ||
    last.retries !== retries ||
    last.waitMs !== waitMs ||
    last.faults !== faults ||
    last.gradingCostUsd !== gradingCostUsd ||
    last.iterations !== iterations
  ) {
    lastWork = record
    lastWorkText = onePiece`${moreOf({ retries, waitMs, faults })},"gradingCostUsd":${numberText(gradingCostUsd)},"iterations":${iterations},"durationMs":`
  }
  return lastWorkText
}

/** What follows the duration, up to `wall`: how a trial of more than one ask went, and whether it was what its method declares. */
function endText(record: TrialRecord): string {
  const { overshoot, state, interventions, history, candidates, deliveredFrom, matched } = record
  const { fidelity, ownJudge, sandbox } = record
  const path = overshoot ?? state ?? interventions ?? history ?? candidates ?? deliveredFrom ?? matched
  if (path === undefined && fidelity && fidelity.at === undefined && (ownJudge ?? sandbox) === undefined)
    return fidelityText(fidelity.status)
  const parts = { overshoot, state, interventions, history, candidates, deliveredFrom, matched }
  return moreOf({ ...parts, fidelity, ownJudge, sandbox })
}

let lastStatus: string | undefined
let lastStatusText = ''

function fidelityText(status: string): string {
  if (lastStatus !== status) {
    lastStatus = status
    lastStatusText = onePiece`,"fidelity":{"status":"${status}"}`
  }
  return lastStatusText
}

let lastWall: TrialRecord['wall'] | undefined
let lastLines = 0
let lastWallText = ''

/** Up to where the sum stands: many trials of a dry run begin in one millisecond, and end in it. */
function wallText(wall: TrialRecord['wall'], lines: number): string {
  const { startedAt, ms } = wall
  if (lastWall?.startedAt !== startedAt || lastWall.ms !== ms || lastLines !== lines) {
    lastWall = wall
    lastLines = lines
    lastWallText = onePiece`,"wall":{"startedAt":"${startedAt}","ms":${ms},"steps":${lines},"stepsSum":"`
  }
  return lastWallText
}

/** Without leading zeros; one sum in sixteen has any. */
const sumText = (sum: number) => (sum >>> 28 === 0 ? sum.toString(16) : hexOf(sum))
