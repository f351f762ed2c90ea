import { countRequestKept } from '../../analysis/coordination/trial-coordination.ts'
import { type Candidate, peopleOf, type TrialRecord } from '../../schema/ledger/record.ts'
import type { Step } from '../../schema/ledger/step.ts'
import { listPriceText, reportedText } from '../words/bill-text.ts'
import { costText, counted, formatCount, formatUsd, sumText, timeText } from '../words/numbers.ts'
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
import { handedIn } from './handed-in.ts'
import { orderSteps } from './story-order.ts'
import { type StoryView, scoreText } from './story-step.ts'

const isCacheTold = (steps: readonly Step[]) =>
  steps.some((step) => step.kind === 'ask' && step.tokens.cached !== null)

/** Renders how a trial ended: its answer, what is right, its verdict, and what it spent. */
export function storyEnding(
  record: TrialRecord,
  { steps, right, ...view }: StoryView & { steps: readonly Step[]; right?: string | undefined },
): string {
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
      `${tokensText(spent.input)} in${isCacheTold(steps) ? ` (${tokensText(spent.cached)} cached)` : ''}, ${tokensText(spent.output)} out, ${cost}${pricedText(record)}${listPriceText(spent)}, ${countsText(record)}${timeText(record.durationMs)}`,
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
  const { answer: text } = handedIn(record, [], view.contentOf ?? (() => undefined))
  const answer = record.answer === undefined ? [] : ['Answer', quoteText(text ?? record.answer, '  ', view)]
  const stack =
    view.full && record.wall.stack !== undefined ? ['Stack', quoteText(record.wall.stack, '  ', view)] : []
  return [
    ...answer,
    ...(right === undefined ? [] : [right]),
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

/** An imported trial has the cost that its source states, or one that bench computed. */
const pricedText = ({ costSource }: TrialRecord) =>
  costSource === undefined
    ? ''
    : ` (priced by bench, by ${costSource === 'file' ? 'your prices' : 'list prices'})`

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
