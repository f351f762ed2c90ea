import { countRequestKept } from '../../analysis/coordination/trial-coordination.ts'
import { evidenceOf } from '../../analysis/evidence.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { GraphTrace } from '../../schema/ledger/graph-event.ts'
import { type Candidate, peopleOf, type TrialRecord } from '../../schema/ledger/record.ts'
import type { Step } from '../../schema/ledger/step.ts'
import { shellWord } from '../../text/shell-word.ts'
import { wholeAgentsText } from '../words/agents-text.ts'
import { listPriceText, reportedText } from '../words/bill-text.ts'
import { profileText } from '../words/evidence-text.ts'
import { costText, counted, formatCount, formatUsd, sumText, timeText, unknown } from '../words/numbers.ts'
import { reasonText, safeLine } from '../words/safe-text.ts'
import {
  finishesText,
  gatewayText,
  leftOutText,
  otherModelText,
  peopleText,
  toolRunsText,
} from '../words/trial-text.ts'
import { workflowLines } from '../workflow/lines.ts'
import { quoteText } from './excerpt.ts'
import { graphTimeline } from './graph-timeline.ts'
import { orderSteps, type PlacedStep } from './story-order.ts'
import { type StoryView, scoreText, stepText } from './story-step.ts'

interface StoryInput extends StoryView {
  record: TrialRecord
  /** Steps in the order of steps.jsonl. */
  steps: readonly Step[]
  title?: string
  instruction?: string
  /** What is right, as it is printed below the answer. */
  right?: string | undefined
  /** Of the trial's graphs. */
  traces?: readonly GraphTrace[]
}

/** The part of a record that is known before the trial has ended. */
export type TrialHeading = Pick<
  TrialRecord,
  | 'trial'
  | 'task'
  | 'method'
  | 'epoch'
  | 'agents'
  | 'agentSet'
  | 'simulated'
  | 'recorded'
  | 'imported'
  | 'profile'
>

/** Renders one trial as text: who was asked what, the replies, their cost, and why the trial ended. */
export function trialStory(input: StoryInput): string {
  return `${storyParts(input).join('\n\n')}\n`
}

/** Renders the story in parts: the trial, the instruction, a part for each step, the end. The first line of a part is its heading. */
export function storyParts({ record, ...input }: StoryInput): string[] {
  return [...storyBeginning(record, input), ...timelines(record, input), storyEnding(record, input)]
}

/** Renders a trial that has not ended, up to its last step. `run` is the run folder. */
export function unfinishedStory({
  heading,
  run,
  ...input
}: Omit<StoryInput, 'record'> & { heading: TrialHeading; run: string }): string {
  const end = [
    'Not ended yet',
    `${counted(input.steps.length, 'step')} so far. If no bench is working on the run: bench run --resume ${shellWord(run)}`,
  ]
  return `${[...storyBeginning(heading, input), ...timelines(heading, input), safeLine(end.join('  '))].join('\n\n')}\n`
}

/** Steps of recorded replies have no known times. */
const timelines = ({ recorded }: TrialHeading, { traces = [] }: Pick<StoryInput, 'traces'>) =>
  recorded ? [] : traces.map(graphTimeline)

function storyBeginning(
  heading: TrialHeading,
  { steps, title, instruction, ...view }: Omit<StoryInput, 'record'>,
): string[] {
  const parts = [header(heading, title)]
  if (instruction) parts.push(`Instruction\n${quoteText(instruction, '  ', view)}`)
  const bill = { tokens: 0, costUsd: 0, unreportedTokens: 0, unreportedCost: 0 }
  for (const placed of orderSteps(steps)) {
    const indent = '  '.repeat(
      placed.branch === '' || placed.step.kind === 'grade' ? 0 : placed.branch.split('/').length,
    )
    const text = [stepText(placed, view, heading.recorded === true), billText(placed, bill)]
      .filter(Boolean)
      .join('\n')
    parts.push(text.replace(/^(?=.)/gm, indent))
  }
  if (steps.length === 0)
    parts.push(`No steps: ${heading.imported ? 'the import has none' : 'no agent was asked'}.`)
  return parts
}

function header(record: TrialHeading, title: string | undefined): string {
  const { simulated } = record
  const { name } = evidenceOf(record)
  const profiles = record.profile === null ? [] : [record.profile]
  const about = profileText({ simulated, profiles })
  const lines = [
    ['task', `${record.task}${title ? `: ${title}` : ''}`],
    ['method', `${rowName(record.method, record.agentSet)}, epoch ${record.epoch}`],
    ['agents', wholeAgentsText(record.agents)],
    ['numbers', about === '' ? `${name}${heldTime(record)}` : `${name}: they ${about}`],
  ] as const
  return [`Trial ${record.trial}`, ...lines.map(([name, text]) => `  ${name.padEnd(8)} ${text}`)]
    .map(safeLine)
    .join('\n')
}

const heldTime = ({ recorded }: TrialHeading) => (recorded ? '; their time is unknown' : '')

interface Bill {
  tokens: number
  costUsd: number
  unreportedTokens: number
  unreportedCost: number
}

/** Returns the cost of the step and the bill of the method so far; adds the step to the bill. */
function billText({ step, voided }: PlacedStep, bill: Bill): string {
  if (step.kind !== 'ask') return ''
  const { input, output, cached } = step.tokens
  const cost = step.costUsd === null ? 'cost unknown' : formatUsd(step.costUsd)
  const countText = (value: number | null) => (value === null ? unknown : formatCount(value))
  const prices = [
    step.listCostUsd !== undefined && step.listCostUsd !== step.costUsd
      ? `, ${formatUsd(step.listCostUsd)} at list prices`
      : '',
    step.reportedCostUsd === undefined ? '' : `, ${formatUsd(step.reportedCostUsd)} as the agent says`,
  ].join('')
  const own = `  spent    ${countText(input)} in${cached ? ` (${formatCount(cached)} cached)` : ''}, ${countText(output)} out, ${cost}${prices}, ${timeText(step.sample === undefined ? step.durationMs : null)}`
  if (voided || step.payer !== 'method') return `${own}; not on the method's bill`
  bill.tokens += (input ?? 0) + (output ?? 0)
  bill.costUsd += step.costUsd ?? 0
  if (input === null || output === null) bill.unreportedTokens++
  if (step.costUsd === null) bill.unreportedCost++
  return `${own}; so far ${sumText(bill.tokens, bill.unreportedTokens, formatCount)} tokens, ${costText(bill.costUsd, bill.unreportedCost)}`
}

const isCacheTold = (steps: readonly Step[]) =>
  steps.some((step) => step.kind === 'ask' && step.tokens.cached !== null)

function storyEnding(record: TrialRecord, { steps, ...view }: Omit<StoryInput, 'record'>): string {
  const { outcome, claimed, detail, spent } = record
  const people = peopleOf(record)
  const passed = record.passed === null ? 'not graded' : record.passed ? 'yes' : 'no'
  const cost = costText(spent.costUsd, spent.unreportedCost)
  const tokensText = (count: number) => sumText(count, spent.unreportedTokens, formatCount)
  const unreported = [
    spent.unreportedTokens > 0 ? `${counted(spent.unreportedTokens, 'call')} without tokens` : '',
    spent.unreportedCost > 0 ? `${counted(spent.unreportedCost, 'call')} without a known cost` : '',
  ].filter(Boolean)
  const overshoot = Object.entries(record.overshoot ?? {}).map(
    ([limit, by]) => `${limit} by ${formatCount(by)}`,
  )
  const lines: [string, string][] = [
    ['Ended', `${outcome.status}${outcome.reason ? `: ${reasonText(record)}` : ''}`],
    ...optional('Method said', [claimed, detail].filter(Boolean).join(': ')),
    ...optional('Delivered', record.delivered === null && !record.imported ? 'nothing' : ''),
    ...optional('Not counted', record.leftOut ? leftOutText(record.leftOut) : ''),
    ...optional(
      'Repaired',
      Object.entries(record.repairedData ?? {})
        .map(([what, replies]) => `${what} (${counted(replies, 'reply', 'replies')})`)
        .join(', '),
    ),
    ...optional('Gateway', gatewayText(record)),
    ...optional('Replies', finishesText(record.finishes ?? {}, spent.calls)),
    ...(record.otherModels ?? []).map((other): [string, string] => ['Models', otherModelText(other)]),
    ...optional('Declared', fidelityText(record)),
    ...(record.unused ?? []).map((text): [string, string] => ['Unused', text]),
    ...optional('People', people ? peopleText(people) : ''),
    ...workflowLines(record.state, view.full ? {} : view.capture),
    ...optional('Request', requestText(steps)),
    ...optional('Overshot', overshoot.join(', ')),
    ['Passed', `${passed}${record.score === null ? '' : `, score ${record.score.toFixed(2)}`}`],
    ...record.scores.map((score): [string, string] => ['  score', `${scoreText(score)}  ${score.reason}`]),
    [
      'Spent',
      `${tokensText(spent.input)} in${isCacheTold(steps) ? ` (${tokensText(spent.cached)} cached)` : ''}, ${tokensText(spent.output)} out, ${cost}${listPriceText(spent)}, ${countsText(record)}${timeText(record.durationMs)}`,
    ],
    ...optional('Tools', record.savings ? toolRunsText(record.savings) : ''),
    ...optional('Agents say', spent.reported ? reportedText(spent.reported) : ''),
    ...optional('Unreported', record.imported ? '' : unreported.join(', ')),
    ...(record.candidates ?? []).map((candidate): [string, string] => [
      '  on the way',
      candidateText(candidate, record),
    ]),
    ...optional(
      'Grading',
      record.gradingCostUsd ? `${formatUsd(record.gradingCostUsd)}, not on the method's bill` : '',
    ),
  ]
  const answer = record.answer === undefined ? [] : ['Answer', quoteText(record.answer, '  ', view)]
  const right = view.right === undefined ? [] : [view.right]
  const stack =
    view.full && record.wall.stack !== undefined ? ['Stack', quoteText(record.wall.stack, '  ', view)] : []
  return [
    ...answer,
    ...right,
    ...stack,
    ...lines.flatMap(([name, text]) =>
      text.split('\n').map((part, i) => safeLine(`${(i === 0 ? name : '').padEnd(12)} ${part}`)),
    ),
  ].join('\n')
}

function requestText(steps: readonly Step[]): string {
  const asks = orderSteps(steps).flatMap(({ step, voided }) =>
    step.kind === 'ask' && step.payer === 'method' && !voided ? [step] : [],
  )
  const kept = countRequestKept(asks)
  return kept ? `verbatim in ${kept.held} of ${counted(kept.asked, 'prompt')}` : ''
}

function candidateText({ key, role, from, passed }: Candidate, { deliveredFrom }: TrialRecord): string {
  const verdict = passed === null ? 'not graded' : passed ? 'right' : 'wrong'
  const origin = from === undefined ? '' : `, made from ${from}`
  return `${key} ${role}: ${verdict}${origin}${key === deliveredFrom ? '; what was delivered came from it' : ''}`
}

/** Other harnesses tell no checks, and few tell calls. */
function countsText({ imported, spent: { calls, checks } }: TrialRecord): string {
  if (!imported) return `${counted(calls, 'call')}, ${counted(checks, 'check')}, `
  return calls > 0 ? `${counted(calls, 'call')}, ` : ''
}

function fidelityText({ fidelity, imported }: TrialRecord): string {
  if (fidelity.status === 'kept' || imported) return ''
  return fidelity.status === 'undeclared'
    ? 'nothing, so the asks were not checked'
    : `something else: ${fidelity.at ?? ''}`
}

function optional(name: string, text: string): [string, string][] {
  return text === '' ? [] : [[name, text]]
}
