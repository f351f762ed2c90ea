import { evidenceOf } from '../../analysis/evidence.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { GraphTrace } from '../../schema/ledger/graph-event.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Step } from '../../schema/ledger/step.ts'
import { wholeAgentsText } from '../words/agents-text.ts'
import { profileText } from '../words/evidence-text.ts'
import { costText, counted, formatCount, formatUsd, sumText, timeText, unknown } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'
import { quoteText } from './excerpt.ts'
import { graphTimeline } from './graph-timeline.ts'
import { storyEnding } from './story-ending.ts'
import { orderSteps, type PlacedStep } from './story-order.ts'
import { type StoryView, stepText } from './story-step.ts'

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

/** Renders a trial that has not ended, up to its last step. `resume` is the command that goes on with its run. */
export function unfinishedStory({
  heading,
  resume,
  ...input
}: Omit<StoryInput, 'record'> & { heading: TrialHeading; resume: string }): string {
  const end = [
    'Not ended yet',
    `${counted(input.steps.length, 'step')} so far. If no bench is working on the run: ${resume}`,
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
    const text = [stepText(placed, view, isUntimed(heading)), billText(placed, bill, isUntimed(heading))]
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

/** Nobody knows when the steps of recorded replies and of other harnesses began, and how long they took. */
const isUntimed = ({ recorded, imported }: TrialHeading) => recorded === true || imported === true

interface Bill {
  tokens: number
  costUsd: number
  unreportedTokens: number
  unreportedCost: number
}

/** Returns the cost of the step and the bill of the method so far; adds the step to the bill. */
function billText({ step, voided }: PlacedStep, bill: Bill, untimed: boolean): string {
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
  const own = `  spent    ${countText(input)} in${cached ? ` (${formatCount(cached)} cached)` : ''}, ${countText(output)} out, ${cost}${prices}, ${timeText(untimed || step.sample !== undefined ? null : step.durationMs)}`
  if (voided || step.payer !== 'method') return `${own}; not on the method's bill`
  bill.tokens += (input ?? 0) + (output ?? 0)
  bill.costUsd += step.costUsd ?? 0
  if (input === null || output === null) bill.unreportedTokens++
  if (step.costUsd === null) bill.unreportedCost++
  return `${own}; so far ${sumText(bill.tokens, bill.unreportedTokens, formatCount)} tokens, ${costText(bill.costUsd, bill.unreportedCost)}`
}
