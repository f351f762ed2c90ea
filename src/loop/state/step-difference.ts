import type { StageStep } from '../../schema/ledger/stage-step.ts'
import type { Step } from '../../schema/ledger/step.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import { describePlanDifference } from './plan-difference.ts'

/** Describes how a request differs from the journaled step: both texts, from shortly before the first difference. */
export function describeDifference(step: Step, now: string): string {
  if (step.kind === 'graph-plan') return describePlanDifference(step, now)
  const journaled = textOf(step)
  let at = 0
  while (at < journaled.length && journaled[at] === now[at]) at++
  const from = Math.max(0, at - 60)
  const lead = from > 0 ? `from character ${from} on, ` : ''
  return `the request differs; ${lead}\n  journaled: ${shortText(journaled.slice(from))}\n  now:       ${shortText(now.slice(from))}`
}

/** Returns the text as JSON, cut after 400 characters. */
export function shortText(text: string): string {
  return text.length <= 400
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, 400))}… (${text.length} characters)`
}

function textOf(step: Step): string {
  if (step.kind === 'ask') return `${step.role}: ${step.prompt}`
  if (step.kind === 'tool') return toolCallText(step.role, step.call)
  if (step.kind === 'stage') return stageText(step)
  if (step.kind === 'run') return runText(step)
  return `${step.kind} ${step.hash}`
}

/** Returns what a stage wants run, as one text. */
export const runText = ({ command }: { command: readonly string[] }) => `run ${command.join(' ')}`

/** Returns a call of a tool, as one text. */
export const toolCallText = (role: string, call: ToolCall) => `${role} calls ${call.name} ${call.arguments}`

/** Returns what a stage starts with, as one text: the command first, and the state, which may be long, last. */
export const stageText = ({
  stage,
  command,
  programs,
  files,
  before,
}: Pick<StageStep, 'stage' | 'command' | 'programs' | 'files' | 'before'>): string =>
  `stage "${stage}": ${command.join(' ')}; its files ${programs.slice(0, 12)}; the workspace ${files?.slice(0, 12) ?? 'as the task has it'}; the state ${before}`
