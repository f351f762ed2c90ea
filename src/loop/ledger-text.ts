import type { AskStep, GradeStep, LedgerLine } from '../schema/step.ts'
import type { Tokens } from '../schema/tokens.ts'
import { lastFew } from './last-few.ts'
import { dollarsText, insideOf, moreOf, onePiece, rare, scoresText, textJson } from './line-text.ts'

/** A line of the ledger. */
export function ledgerText(line: LedgerLine): string {
  if (line.kind === 'ask' && line.maybePaid === undefined) return askText(line)
  return line.kind === 'grade' ? gradeText(line) : JSON.stringify(line)
}

/** In few pieces: to put one to another costs as much as what most of them hold. */
function askText(step: AskStep): string {
  const told = `{"trial":"${step.trial}${callText(step)}${step.durationMs}${askedText(step)}${replyText(step)}`
  return `${told}${tokensText(step.tokens)}${dollarsText(step.costUsd)}${endText(step)}`
}

let lastCall: AskStep | undefined
let lastCallText = ''

/** From the end of the trial to where the duration stands: the first ask of each trial of a cell has the same. */
function callText(step: AskStep): string {
  const { key, attempt, payer, hash, at } = step
  const last = lastCall
  if (
    !last ||
    last.hash !== hash ||
    last.key !== key ||
    last.at !== at ||
    last.attempt !== attempt ||
    last.payer !== payer
  ) {
    lastCall = step
    lastCallText = onePiece`","key":${JSON.stringify(key)},"attempt":${attempt},"kind":"ask","payer":"${payer}","hash":"${hash}","at":${at},"durationMs":`
  }
  return lastCallText
}

let lastAsked: AskStep | undefined
let lastAskedText = ''

/** Epochs of a cell ask the same, mostly one after the other. */
function askedText(step: AskStep): string {
  const { iteration, role, work, purpose, agent, simulated, prompt, system, session } = step
  const last = lastAsked
  if (
    !last ||
    last.prompt !== prompt ||
    last.iteration !== iteration ||
    last.role !== role ||
    last.work !== work ||
    last.agent !== agent ||
    last.system !== system ||
    last.session !== session ||
    last.purpose !== purpose ||
    last.simulated !== simulated
  ) {
    lastAsked = step
    const asked = { role, work, purpose, agent, simulated, prompt, system, session }
    lastAskedText = onePiece`${rare('iteration', iteration)},${insideOf(asked)}`
  }
  return lastAskedText
}

function replyText({ reply, replyHash, changeSet }: AskStep): string {
  if (reply !== undefined && (replyHash ?? changeSet) === undefined) return `,"reply":${textJson(reply)}`
  return `${rare('reply', reply)}${rare('replyHash', replyHash)}${rare('changeSet', changeSet)}`
}

let lastTokens: Tokens | undefined
let lastTokensText = ''

/** Up to where the cost stands. */
function tokensText(tokens: Tokens): string {
  const { input, output, cached, cacheWrite, cacheWriteHour, reasoning } = tokens
  if ((cacheWrite ?? cacheWriteHour ?? reasoning) !== undefined)
    return `,"tokens":${JSON.stringify(tokens)},"costUsd":`
  if (lastTokens?.input !== input) {
    lastTokens = tokens
    lastTokensText = onePiece`,"tokens":{"input":${input},"output":`
  }
  return `${lastTokensText}${output}${cached === 0 ? noneCached : `,"cached":${cached}},"costUsd":`}`
}

const noneCached = ',"cached":0},"costUsd":'

function endText(step: AskStep): string {
  const { waitMs, error, fault, repair, retry, sandbox } = step
  const bill = billText(step)
  if ((error ?? fault ?? repair ?? retry ?? sandbox) === undefined)
    return waitMs === 0 && bill === '' ? noWait : `${bill},"waitMs":${waitMs}}`
  return `${bill},"waitMs":${waitMs}${moreOf({ error, fault, repair, retry, sandbox })}}`
}

const noWait = ',"waitMs":0}'

/** What only a provider with prices tells. */
function billText(step: AskStep): string {
  const { listCostUsd, costSource, usage, model, reportedCostUsd, continued } = step
  if ((listCostUsd ?? costSource ?? usage ?? model ?? reportedCostUsd ?? continued) === undefined) return ''
  return moreOf({ listCostUsd, costSource, usage, model, reportedCostUsd, continued })
}

function gradeText(step: GradeStep): string {
  return `{"trial":"${step.trial}${gradingText(step)}${step.hash}","at":${step.at}${gradedText(step)}`
}

let lastGrading: GradeStep | undefined
let lastGradingText = ''

/** From the end of the trial to where the hash stands. */
function gradingText(step: GradeStep): string {
  const { key, attempt, payer, simulated } = step
  const last = lastGrading
  if (
    !last ||
    last.key !== key ||
    last.attempt !== attempt ||
    last.payer !== payer ||
    last.simulated !== simulated
  ) {
    lastGrading = step
    lastGradingText = onePiece`","key":${JSON.stringify(key)},"attempt":${attempt},"kind":"grade","payer":"${payer}"${rare('simulated', simulated)},"hash":"`
  }
  return lastGradingText
}

/** By their scores: trials of a task take turns in being right and wrong. */
const lastGraded = lastFew<string, { step: GradeStep; text: string }>()

/** From the duration on. */
function gradedText(step: GradeStep): string {
  const { durationMs, iteration, of, passed, sandbox } = step
  const scores = scoresText(step.scores)
  const known = lastGraded.get(scores)
  const last = known?.step
  if (
    known &&
    last?.passed === passed &&
    last.durationMs === durationMs &&
    last.iteration === iteration &&
    last.of === of &&
    last.sandbox === sandbox
  )
    return known.text
  const text = onePiece`,"durationMs":${durationMs}${rare('iteration', iteration)}${rare('of', of)},"scores":${scores},"passed":${passed}${rare('sandbox', sandbox)}}`
  if (known) Object.assign(known, { step, text })
  else lastGraded.add(scores, { step, text })
  return text
}
