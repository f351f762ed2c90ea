import type { AskStep, GradeStep, LedgerLine } from '../schema/step.ts'
import type { Tokens } from '../schema/tokens.ts'
import { insideOf, moreOf, numberText, rare, scoresText } from './line-text.ts'

/** A line of the ledger. */
export function ledgerText(line: LedgerLine): string {
  if (line.kind === 'ask' && line.maybePaid === undefined) return askText(line)
  return line.kind === 'grade' ? gradeText(line) : JSON.stringify(line)
}

function askText(step: AskStep): string {
  return `{"trial":"${step.trial}",${callText(step)}${step.durationMs}${rare('iteration', step.iteration)},${askedText(step)}${rare('reply', step.reply)}${rare('replyHash', step.replyHash)}${rare('changeSet', step.changeSet)},"tokens":${tokensText(step.tokens)},"costUsd":${numberText(step.costUsd)}${billText(step)},"waitMs":${step.waitMs}${endText(step)}}`
}

let lastCall: AskStep | undefined
let lastCallText = ''

/** From the key to where the duration stands: the first ask of each trial of a cell has the same. */
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
  )
    lastCallText = `"key":${JSON.stringify(key)},"attempt":${attempt},"kind":"ask","payer":"${payer}","hash":"${hash}","at":${at},"durationMs":`
  lastCall = step
  return lastCallText
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
  return `{"trial":"${step.trial}",${gradingText(step)}${step.hash}","at":${step.at},"durationMs":${step.durationMs}${rare('iteration', step.iteration)}${rare('of', step.of)},"scores":${scoresText(step.scores)},"passed":${step.passed}${rare('sandbox', step.sandbox)}}`
}

let lastGrading: GradeStep | undefined
let lastGradingText = ''

/** From the key to where the hash stands. */
function gradingText(step: GradeStep): string {
  const { key, attempt, payer, simulated } = step
  const last = lastGrading
  if (
    !last ||
    last.key !== key ||
    last.attempt !== attempt ||
    last.payer !== payer ||
    last.simulated !== simulated
  )
    lastGradingText = `"key":${JSON.stringify(key)},"attempt":${attempt},"kind":"grade","payer":"${payer}"${rare('simulated', simulated)},"hash":"`
  lastGrading = step
  return lastGradingText
}

function tokensText(tokens: Tokens): string {
  const { input, output, cached, cacheWrite, cacheWriteHour, reasoning } = tokens
  if ((cacheWrite ?? cacheWriteHour ?? reasoning) !== undefined) return JSON.stringify(tokens)
  return `{"input":${input},"output":${output},"cached":${cached}}`
}
