import type { MethodSummary, Summary, ToolUse } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted } from '../words/numbers.ts'
import { groupByText } from './group-by-text.ts'

/** A tool with fewer calls is not called one that mostly failed. */
const fewestCalls = 3

/** Returns notes on the tools of the agents, their calls, and tools that mostly failed. Empty where no method had tools. */
export function toolNotes(summary: Summary): string[] {
  const { methods } = summary
  if (methods.every(({ tools, toolUse }) => tools === undefined && !toolUse)) return []
  return [
    ...groupByText(summary, methods, describeTools),
    ...methods.flatMap((row) => failingNotes(methodName(row, summary), row.toolUse)),
  ]
}

function describeTools({ tools, toolUse }: MethodSummary): string {
  const had = tools === undefined ? [] : [`tools of its agents: ${tools}`]
  return [
    ...had,
    ...(toolUse ? [useText(toolUse)] : tools === undefined || tools === 'none' ? [] : ['no call']),
  ].join('; ')
}

function useText({ calls, turns, asks, failed, trials }: ToolUse): string {
  const outcomes = Object.entries(failed)
  const sum = outcomes.reduce((total, [, count]) => total + count, 0)
  return [
    `${counted(calls, 'call')} of tools in ${counted(trials, 'trial')}`,
    `${(turns / asks).toFixed(1)} turns per ask that called tools`,
    sum === 0 ? 'none failed' : failedText(outcomes, sum),
  ].join(', ')
}

/** `4 failed` names its outcomes only if they say more than that. */
function failedText(outcomes: readonly (readonly [string, number])[], sum: number): string {
  const [[only] = ['']] = outcomes
  if (outcomes.length > 1)
    return `${sum} failed (${outcomes.map(([outcome, count]) => `${count} ${outcome === 'failed' ? 'reported by the tool' : outcome}`).join(', ')})`
  return only === 'failed' ? `${sum} failed` : `${sum} failed (${only})`
}

function failingNotes(name: string, use: ToolUse | undefined): string[] {
  return Object.entries(use?.byName ?? {}).flatMap(([tool, { calls, failed }]) =>
    calls >= fewestCalls && failed > calls / 2
      ? [
          `${name}: the tool ${tool} failed in ${failed} of ${counted(calls, 'call')}, so these results hardly show what it does when it works.`,
        ]
      : [],
  )
}
