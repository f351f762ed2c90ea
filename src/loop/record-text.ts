import { schemaVersion, type TrialRecord } from '../schema/record.ts'
import type { Spending } from '../schema/tokens.ts'
import { hexOf } from './hex.ts'
import { lastFew } from './last-few.ts'
import type { LedgerMark } from './ledger-mark.ts'
import { dollarsText, insideOf, moreOf, numberText, onePiece, scoresText, textJson } from './line-text.ts'

/** A record with the mark of its trial, but for the two braces at its end: a seal may follow. In few pieces, as each costs. */
export function openRecordText(record: TrialRecord, { lines, sum }: LedgerMark): string {
  const { trial, epoch, answer, durationMs } = record
  const how = `${howText(record)}${gradedText(record)}${answer === undefined ? '' : `,"answer":${textJson(answer)}`}`
  const work = `${deliveredText(record)}${spentText(record.spent, workText(record))}${durationMs}${endText(record, lines)}`
  return `${begin}${trial}${cellText(record)}${epoch}${how}${work}${sumText(sum)}`
}

const begin = `{"schemaVersion":${schemaVersion},"trial":"`

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

/** By their scores: trials of a task take turns in being right and wrong. */
const lastGraded = lastFew<string, Graded>()

interface Graded {
  passed: TrialRecord['passed']
  score: TrialRecord['score']
  text: string
}

function gradedText({ passed, score, scores: given }: TrialRecord): string {
  const scores = scoresText(given)
  const last = lastGraded.get(scores)
  if (last && last.passed === passed && last.score === score) return last.text
  const text = onePiece`,"passed":${passed},"score":${numberText(score)},"scores":${scores}`
  if (last) Object.assign(last, { passed, score, text })
  else lastGraded.add(scores, { passed, score, text })
  return text
}

const deliveredText = ({ delivered }: TrialRecord) =>
  delivered === null ? ',"delivered":null,"spent":' : `,"delivered":"${delivered}","spent":`

let lastSpent: Spending | undefined
let lastSpentText = ''

/** With what follows it. */
function spentText(spent: Spending, work: string): string {
  const { input, output, cached, costUsd } = spent
  if (spent.listCostUsd !== undefined || (spent.unknownListCost ?? spent.reported) !== undefined)
    return `${JSON.stringify(spent)}${work}`
  if (lastSpent?.input !== input) {
    lastSpent = spent
    lastSpentText = onePiece`{"input":${input},"output":`
  }
  return `${lastSpentText}${output}${cached === 0 ? noneCached : `,"cached":${cached},"costUsd":`}${dollarsText(costUsd)}${countsText(spent, work)}`
}

const noneCached = ',"cached":0,"costUsd":'

let lastCounts: Spending | undefined
let lastCountsWork = ''
let lastCountsText = ''

/** What a method did, which is the same in most trials of a cell, the end of the object, and what follows. */
function countsText(spent: Spending, work: string): string {
  const { calls, checks, unreportedTokens, unreportedCost } = spent
  const last = lastCounts
  if (
    !last ||
    last.calls !== calls ||
    last.checks !== checks ||
    last.unreportedTokens !== unreportedTokens ||
    last.unreportedCost !== unreportedCost ||
    lastCountsWork !== work
  ) {
    lastCounts = spent
    lastCountsWork = work
    lastCountsText = onePiece`,${insideOf({ calls, checks, unreportedTokens, unreportedCost })}}${work}`
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

/**
 * What follows the duration, up to where the sum stands: how a trial of more than one ask went, and whether it was what its
 * method declares.
 */
function endText(record: TrialRecord, lines: number): string {
  const { overshoot, state, interventions, history, candidates, deliveredFrom, matched } = record
  const { fidelity, ownJudge, unused, sandbox, wall } = record
  const path = overshoot ?? state ?? interventions ?? history ?? candidates ?? deliveredFrom ?? matched
  if (
    path === undefined &&
    fidelity &&
    fidelity.at === undefined &&
    (ownJudge ?? unused ?? sandbox) === undefined
  )
    return wallText(wall, lines, fidelity.status)
  const parts = { overshoot, state, interventions, history, candidates, deliveredFrom, matched }
  return `${moreOf({ ...parts, fidelity, ownJudge, unused, sandbox })}${wallText(wall, lines, undefined)}`
}

let lastWall: TrialRecord['wall'] | undefined
let lastLines = 0
let lastStatus: string | undefined
let lastWallText = ''

/** Many trials of a dry run begin in one millisecond, and end in it. `status`: of a fidelity that says nothing else. */
function wallText(wall: TrialRecord['wall'], lines: number, status: string | undefined): string {
  const { startedAt, ms, place, stack } = wall
  if (
    lastWall?.startedAt !== startedAt ||
    lastWall.ms !== ms ||
    lastWall.place !== place ||
    lastWall.stack !== stack ||
    lastLines !== lines ||
    lastStatus !== status
  ) {
    lastWall = wall
    lastLines = lines
    lastStatus = status
    const fidelity = status === undefined ? '' : `,"fidelity":{"status":"${status}"}`
    lastWallText = onePiece`${fidelity},"wall":{"startedAt":"${startedAt}","ms":${ms}${moreOf({ place, stack })},"steps":${lines},"stepsSum":"`
  }
  return lastWallText
}

/** With its closing quote, and without leading zeros; one sum in sixteen has any. */
const sumText = (sum: number) => `${sum >>> 28 === 0 ? sum.toString(16) : hexOf(sum)}"`
