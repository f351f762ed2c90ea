import type { AskStep, CheckStep, Step } from '../../schema/ledger/step.ts'
import { findMessages } from './messages.ts'
import { type ByKind, noTokens, spendingKinds, tokensByKind } from './spending-kinds.ts'

/** How the agents of one trial worked together, from its lines of the ledger alone. */
export interface TrialCoordination {
  /** Attempts, and asks: one ask may take several attempts. */
  calls: number
  turns: number
  checks: number
  /** Input and output; of calls that reported them. */
  tokens: number
  byKind: ByKind
  /** Calls that reported no tokens, and calls whose cost is unknown. */
  unreportedTokens: number
  unreportedCost: number
  /** US dollars, of calls whose cost is known. */
  costUsd: number
  /** Earlier replies of other agents that show in prompts, and the mean share of each that does, null where there are none. */
  messages: number
  messageKept: number | null
  /** Asks whose prompt holds the task's text word for word, of those asked; null where no prompt tells the task's text. */
  requestKept: number | null
  /** Mean share of facts (identifiers, numbers, paths) of a text that its summary lacks; null: no summary. */
  summaryLost: number | null
  /** Time of all calls and checks together, and of the longest chain of them; ms of the trial's clock. */
  workMs: number
  pathMs: number
  /** Input tokens that each role read: first and last time it was asked, most, and how often. */
  context: Map<string, ContextGrowth>
}

/** Input tokens of one role's asks within a trial. */
interface ContextGrowth {
  asks: number
  first: number
  last: number
  peak: number
}

/** Share of a text's facts that another text holds, 0 to 1; null where the first has none. */
type Recall = (text: string, summary: string) => number | null

/** Sums up a trial's steps, voided ones and grading left out by the caller or by their payer. */
export function measureCoordination(steps: Iterable<Step>, recall: Recall): TrialCoordination {
  const own = [...steps].filter((step) => step.payer === 'method')
  const asks = own.filter((step): step is AskStep => step.kind === 'ask').sort(byClock)
  const checks = own.filter((step): step is CheckStep => step.kind === 'check')
  const received = findMessages(asks)
  const messages = received.flatMap((one) => one.messages)
  const timed = [...asks, ...checks]
  return {
    calls: asks.length,
    turns: new Set(asks.map(({ key }) => key)).size,
    checks: checks.length,
    tokens: sum(asks, ({ tokens }) => (tokens.input ?? 0) + (tokens.output ?? 0)),
    byKind: addUp(asks.map((ask, i) => tokensByKind(ask, received[i]?.handedOn ?? 0))),
    unreportedTokens: asks.filter(({ tokens }) => tokens.input === null || tokens.output === null).length,
    unreportedCost: asks.filter(({ costUsd }) => costUsd === null).length,
    costUsd: sum(asks, ({ costUsd }) => costUsd ?? 0),
    messages: messages.length,
    messageKept: meanOf(messages.map(({ kept }) => kept)),
    requestKept: requestKept(asks),
    summaryLost: summaryLost(asks, recall),
    workMs: sum(timed, ({ durationMs }) => durationMs),
    pathMs: timed.reduce((end, { at, durationMs }) => Math.max(end, at + durationMs), 0),
    context: contextOf(asks),
  }
}

/** By the clock; within a branch, where much may take no time, by the counter. */
function byClock(a: AskStep, b: AskStep): number {
  const [branchOfA, counterOfA] = placeOf(a)
  const [branchOfB, counterOfB] = placeOf(b)
  if (branchOfA === branchOfB) return counterOfA - counterOfB || a.attempt - b.attempt
  return a.at - b.at || (branchOfA < branchOfB ? -1 : 1)
}

function placeOf({ key }: AskStep): [branch: string, counter: number] {
  const cut = key.lastIndexOf('#')
  return [key.slice(0, cut), Number(key.slice(cut + 1))]
}

// The preamble puts it before every producing role's prompt.
const preambled = /^# Task\n([\s\S]*?)\n\n# What to hand in\n/

function requestKept(asks: readonly AskStep[]): number | null {
  const kept = countRequestKept(asks)
  return kept && kept.held / kept.asked
}

/**
 * How many prompts hold the task's text word for word, of those of all asks; null where no prompt tells the task's text.
 * `asks` are attempts; first ones count.
 */
export function countRequestKept(asks: readonly AskStep[]): { held: number; asked: number } | null {
  const first = asks.filter(({ attempt }) => attempt === 1)
  const request = first.map(({ prompt }) => preambled.exec(prompt)?.[1]).find((text) => text !== undefined)
  if (request === undefined) return null
  return { held: first.filter(({ prompt }) => prompt.includes(request)).length, asked: first.length }
}

function summaryLost(asks: readonly AskStep[], recall: Recall): number | null {
  const shares = asks
    .filter(({ work, reply, repair }) => work === 'summarise' && reply !== undefined && !repair)
    // What stands under a heading is the text to shorten; before it stands the strategy's own wish.
    .map(({ prompt, reply = '' }) => recall(prompt.slice(prompt.indexOf('\n\n## ') + 1), reply))
    .filter((share) => share !== null)
  return meanOf(shares.map((share) => 1 - share))
}

function contextOf(asks: readonly AskStep[]): Map<string, ContextGrowth> {
  const roles = new Map<string, ContextGrowth>()
  for (const { role, tokens, repair, retry } of asks) {
    const { input } = tokens
    if (input === null || repair || retry) continue
    const known = roles.get(role)
    if (known) {
      known.asks++
      known.last = input
      known.peak = Math.max(known.peak, input)
    } else roles.set(role, { asks: 1, first: input, last: input, peak: input })
  }
  return roles
}

function addUp(parts: readonly ByKind[]): ByKind {
  const total = noTokens()
  for (const part of parts) for (const kind of spendingKinds) total[kind] += part[kind]
  return total
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length
}
