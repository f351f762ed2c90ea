import type { StageStep } from '../../schema/ledger/stage-step.ts'
import type { GraphPlanStep, Step } from '../../schema/ledger/step.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import { canonicalJson } from '../../text/canonical-json.ts'

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

/** What a graph's plan consists of, as it is journaled. */
export type GraphPlan = Pick<GraphPlanStep, 'concurrency' | 'conflict' | 'steps'>

const named = 10

/** Describes how the plan of a graph, given as JSON, differs from the journaled one, by the ids of its steps. */
function describePlanDifference(journaled: GraphPlan, now: string): string {
  const is = JSON.parse(now) as GraphPlan
  const differences = [...settingsOf(journaled, is), ...stepDifferences(journaled.steps, is.steps)]
  const more = differences.length > named ? [`and ${differences.length - named} more`] : []
  return `the graph differs: ${[...differences.slice(0, named), ...more].join('; ')}`
}

const settingsOf = (was: GraphPlan, is: GraphPlan): string[] =>
  (['concurrency', 'conflict'] as const).flatMap((name) =>
    was[name] === is[name] ? [] : [`${name} was ${was[name]}, now ${is[name]}`],
  )

type Steps = GraphPlan['steps']

function stepDifferences(was: Steps, is: Steps): string[] {
  const before = new Map(was.map((step) => [step.id, step]))
  const after = new Map(is.map((step) => [step.id, step]))
  const changed = [
    ...was
      .filter(({ id }) => !after.has(id))
      .map(({ id }) => `step "${id}" is journaled, but not in the graph now`),
    ...is
      .filter(({ id }) => !before.has(id))
      .map(({ id }) => `step "${id}" is in the graph now, but not journaled`),
    ...is.flatMap((step) => fieldDifferences(before.get(step.id), step)),
  ]
  if (changed.length > 0) return changed
  const place = was.findIndex(({ id }, i) => id !== is[i]?.id)
  return place < 0 ? [] : [`its order: step ${place + 1} was "${was[place]?.id}", now "${is[place]?.id}"`]
}

function fieldDifferences(was: Steps[number] | undefined, is: Steps[number]): string[] {
  if (!was) return []
  return (['after', 'onFailure', 'conflict'] as const).flatMap((field) => {
    const [before, now] = [was[field], is[field]].map((value) =>
      value === undefined ? 'not set' : canonicalJson(value),
    )
    return before === now ? [] : [`${field} of step "${is.id}" was ${before}, now ${now}`]
  })
}
