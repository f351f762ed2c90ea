import type { MethodSummary } from '../../analysis/summary.ts'
import { type SavingSums, sumRuns } from '../../analysis/tool-savings.ts'
import type { LeftOut, ModelCalls, PeopleCounts, ToolRun, TrialRecord } from '../../schema/ledger/record.ts'
import type { Finish } from '../../schema/ledger/step.ts'
import { counted, formatCount, formatShare, nothing, present } from './numbers.ts'
import { safeLine } from './safe-text.ts'

/** Returns the result of a trial in words: `passed`, `not passed`, `ungraded`, or why it is missing. */
export function resultOf({ outcome, passed }: Pick<TrialRecord, 'outcome' | 'passed'>): string {
  if (outcome.status === 'error' || outcome.status === 'cancelled') return `missing (${outcome.status})`
  if (passed === null) return 'ungraded'
  return passed ? 'passed' : 'not passed'
}

type Told = Exclude<Finish, 'stop'>

/** How one reply ended, if it did not end by itself. */
export const finishTexts: Readonly<Record<Told, string>> = {
  length: 'ended by the output limit (length)',
  refusal: 'ended by a refusal (refusal)',
  thoughts: 'ended with thoughts alone (thoughts)',
  'tool-call': 'ended by the call of a tool (tool-call)',
}

const kinds: readonly [Told, one: string, several: string][] = [
  ['length', 'was cut off by the output limit (length)', 'were cut off by the output limit (length)'],
  ['refusal', 'was refused (refusal)', 'were refused (refusal)'],
  ['thoughts', 'gave only thoughts (thoughts)', 'gave only thoughts (thoughts)'],
  [
    'tool-call',
    'called a tool that was not offered (tool-call)',
    'called tools that were not offered (tool-call)',
  ],
]

/** Returns `4 of 30 calls were cut off by the output limit (length), 1 was refused (refusal)`; empty without any. */
export function finishesText(finishes: Readonly<Partial<Record<Finish, number>>>, calls: number): string {
  return kinds
    .flatMap(([finish, one, several]) => {
      const count = finishes[finish] ?? 0
      return count === 0 ? [] : [{ count, words: count === 1 ? one : several }]
    })
    .map(({ count, words }, i) => `${count}${i === 0 ? ` of ${counted(calls, 'call')}` : ''} ${words}`)
    .join(', ')
}

/** Returns `3 calls of openai:gpt-5 were answered by gpt-5-mini, which was not asked for`. */
export function otherModelText({ agent, model, calls }: ModelCalls): string {
  return `${counted(calls, 'call')} of ${agent} ${calls === 1 ? 'was' : 'were'} answered by ${model}, which was not asked for`
}

/** Says how people took part: `2 approvals, 1 text of guidance`. */
export function peopleText({ approvals, guidance, sets }: PeopleCounts): string {
  return [
    [approvals, counted(approvals, 'approval')],
    [guidance, counted(guidance, 'text of guidance', 'texts of guidance')],
    [sets, counted(sets, 'state that was set', 'states that were set')],
  ]
    .filter(([count]) => count !== 0)
    .map(([, text]) => text)
    .join(', ')
}

/** Returns `2 refused paths and 1 change of a file that may not change`. */
export function leftOutText({ refused, notCounted }: LeftOut): string {
  return [
    refused > 0 ? counted(refused, 'refused path') : '',
    notCounted > 0
      ? counted(notCounted, 'change of a file that may not change', 'changes of files that may not change')
      : '',
  ]
    .filter(Boolean)
    .join(' and ')
}

/** Returns what the gateway did with requests of the programs of a row, a sentence each. */
export function gatewayTexts({ refused, trials, tools }: NonNullable<MethodSummary['gateway']>): string[] {
  return present([
    refused > 0 &&
      `${counted(refused, 'request')} of agents' programs to their provider did not pass, in ${counted(trials, 'trial')}; bench show has them.`,
    tools.length > 0 &&
      `providers may have run tools for agents (--allow-provider-tools): ${safeLine(tools.join(', '))}.`,
  ])
}

/** Returns the same of one trial, in a few words; empty if there is nothing to say. */
export const gatewayText = ({ refusedRequests, providerTools = [] }: TrialRecord): string =>
  [
    refusedRequests === undefined ? '' : `${counted(refusedRequests, 'request')} to providers did not pass`,
    providerTools.length > 0 ? `providers may have run ${providerTools.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ')

/** Returns a note on tasks whose tests ran in the solution's process, as they say. */
export function oneProcessNotes(tasks = 0): string[] {
  if (tasks === 0) return []
  return [
    `The hidden tests of ${counted(tasks, 'task')} ran in the process of the solution (grading: one-process), where a solution can fake them: these scores stand outside of the promise that no wrong solution passes.`,
  ]
}

/** Formats the share that a report saved, in percent; below 0 if the report is the longer one, nothing if the tool printed nothing. */
export const savedText = (share: number | null): string => (share === null ? nothing : formatShare(share))

/** Describes one run of a tool: its output, its report, and what that saved. */
export const toolRunText = ({ tool, ...run }: Omit<ToolRun, 'stage'>): string =>
  `${tool}: ${sumsText(sumRuns([run]))}`

/** Describes the runs of a trial's tools in one line. */
export const toolRunsText = (runs: readonly ToolRun[]): string =>
  `${counted(runs.length, 'run')}: ${sumsText(sumRuns(runs))}`

const sumsText = ({ rawTokens, compactTokens, share }: SavingSums) =>
  `output ${formatCount(rawTokens)} tokens, report ${formatCount(compactTokens)}${share === null ? '' : `, saved ${savedText(share)}%`} (estimated)`
