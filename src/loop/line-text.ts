import type { TrialRecord } from '../schema/record.ts'
import type { Score } from '../schema/score.ts'
import type { AskStep, GradeStep, LedgerLine } from '../schema/step.ts'
import type { Spending, Tokens } from '../schema/tokens.ts'
import { hexOf } from './hex.ts'
import type { LedgerMark } from './ledger-mark.ts'

/*
 * JSON of what each trial writes, put together as text: the texts of `JSON.stringify`, in a third of its time, for it looks at
 * each character and at each field that is not there, and most of a line stands as it stood in the line before. Hashes,
 * ids and words of a fixed list hold nothing that JSON writes otherwise. What is rare goes through `JSON.stringify`.
 */

/** A line of the ledger. */
export function ledgerText(line: LedgerLine): string {
  if (line.kind === 'ask' && line.maybePaid === undefined) return askText(line)
  return line.kind === 'grade' ? gradeText(line) : JSON.stringify(line)
}

function askText(step: AskStep): string {
  return `{"trial":"${step.trial}","key":${keyText(step.key)},"attempt":${step.attempt},"kind":"ask","payer":"${step.payer}","hash":"${step.hash}","at":${step.at},"durationMs":${step.durationMs}${rare('iteration', step.iteration)},${askedText(step)}${rare('reply', step.reply)}${rare('replyHash', step.replyHash)}${rare('changeSet', step.changeSet)},"tokens":${tokensText(step.tokens)},"costUsd":${numberText(step.costUsd)}${billText(step)},"waitMs":${step.waitMs}${endText(step)}}`
}

let lastAsked: AskStep | undefined
let lastAskedText = ''

/** Epochs of a cell ask the same, mostly one after the other. */
function askedText(step: AskStep): string {
  const { role, work, purpose, agent, simulated, prompt, system, session } = step
  const last = lastAsked
  if (
    !last ||
    last.prompt !== prompt ||
    last.role !== role ||
    last.work !== work ||
    last.agent !== agent ||
    last.system !== system ||
    last.session !== session ||
    last.purpose !== purpose ||
    last.simulated !== simulated
  ) {
    const asked = { role, work, purpose, agent, simulated, prompt, system, session }
    lastAskedText = insideOf(asked)
  }
  lastAsked = step
  return lastAskedText
}

/** What only a provider with prices tells. */
function billText(step: AskStep): string {
  const { listCostUsd, costSource, usage, model, reportedCostUsd, continued } = step
  if ((listCostUsd ?? costSource ?? usage ?? model ?? reportedCostUsd ?? continued) === undefined) return ''
  return moreOf({ listCostUsd, costSource, usage, model, reportedCostUsd, continued })
}

function endText({ error, fault, repair, retry }: AskStep): string {
  if ((error ?? fault ?? repair ?? retry) === undefined) return ''
  return moreOf({ error, fault, repair, retry })
}

function gradeText(step: GradeStep): string {
  return `{"trial":"${step.trial}","key":${keyText(step.key)},"attempt":${step.attempt},"kind":"grade","payer":"${step.payer}"${rare('simulated', step.simulated)},"hash":"${step.hash}","at":${step.at},"durationMs":${step.durationMs}${rare('iteration', step.iteration)}${rare('of', step.of)},"scores":${scoresText(step.scores)},"passed":${step.passed}${rare('sandbox', step.sandbox)}}`
}

/** A record with the mark of its trial, but for the two braces at its end: a seal may follow. */
export function openRecordText(record: TrialRecord, { lines, sum }: LedgerMark): string {
  const { delivered, wall } = record
  return `{"schemaVersion":${record.schemaVersion},"trial":"${record.trial}",${cellText(record)},"epoch":${record.epoch},${howText(record)}${rare('detail', record.detail)},"passed":${record.passed},"score":${numberText(record.score)},"scores":${scoresText(record.scores)}${rare('answer', record.answer)},"delivered":${delivered === null ? 'null' : `"${delivered}"`},"spent":${spentText(record.spent)}${delayText(record)},"gradingCostUsd":${numberText(record.gradingCostUsd)},"iterations":${record.iterations},"durationMs":${record.durationMs}${pathText(record)}${fidelityText(record)},"wall":{"startedAt":"${wall.startedAt}","ms":${wall.ms},"steps":${lines},"stepsSum":"${sumText(sum)}"`
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
  return `{"input":${spent.input},"output":${spent.output},"cached":${spent.cached},"costUsd":${numberText(spent.costUsd)},"calls":${spent.calls},"checks":${spent.checks},"unreportedTokens":${spent.unreportedTokens},"unreportedCost":${spent.unreportedCost}}`
}

function tokensText(tokens: Tokens): string {
  const { input, output, cached, cacheWrite, cacheWriteHour, reasoning } = tokens
  if ((cacheWrite ?? cacheWriteHour ?? reasoning) !== undefined) return JSON.stringify(tokens)
  return `{"input":${input},"output":${output},"cached":${cached}}`
}

function scoresText(scores: readonly Score[]): string {
  const [score] = scores
  if (!score || scores.length > 1 || score.tests) return JSON.stringify(scores)
  return `[{"name":${nameText(score.name)},"value":${score.value},"reason":${JSON.stringify(score.reason)}}]`
}

const keyText = remembered()
const nameText = remembered()

/** JSON of a text that is mostly the same as the last time. */
function remembered(): (text: string) => string {
  let last = ''
  let json = '""'
  return (text) => {
    if (text !== last) {
      last = text
      json = JSON.stringify(text)
    }
    return json
  }
}

/** What JSON says of numbers that may be none. */
const numberText = (value: number | null) => (Number.isFinite(value) ? `${value}` : 'null')

/** Without leading zeros; one sum in sixteen has any. */
const sumText = (sum: number) => (sum >>> 28 === 0 ? sum.toString(16) : hexOf(sum))

/** A field that is not always there. */
function rare(name: string, value: unknown): string {
  const json = value === undefined ? undefined : JSON.stringify(value)
  return json === undefined ? '' : `,"${name}":${json}`
}

/** Fields, as they stand in an object. */
const insideOf = (fields: object) => JSON.stringify(fields).slice(1, -1)

/** The same, after others. */
function moreOf(fields: object): string {
  const inside = insideOf(fields)
  return inside === '' ? '' : `,${inside}`
}
