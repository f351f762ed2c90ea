import type { AskStep, CheckStep, Step } from '../../schema/ledger/step.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import { comparePlaces, effectKey, isFirstTurn } from '../../schema/ledger/turn-key.ts'
import { branchOf, findMessages } from './messages.ts'

/** Measures of how the agents of one trial worked together, from its steps alone. */
export interface TrialCoordination {
  /** Attempts, and asks; an ask may take several attempts. */
  calls: number
  turns: number
  checks: number
  /** Input and output of calls that reported them. */
  tokens: number
  byKind: ByKind
  /** Calls that reported no tokens, and calls whose cost is unknown. */
  unreportedTokens: number
  unreportedCost: number
  /** US dollars, of calls whose cost is known. */
  costUsd: number
  /** Earlier replies of other agents that appear in prompts, and the mean share of each reply that appears; null without any. */
  messages: number
  messageKept: number | null
  /** Share of asks whose prompt holds the task text verbatim; null if no prompt shows the task text. */
  requestKept: number | null
  /** Mean share of facts (identifiers, numbers, paths) of a text that its summary lacks; null without a summary. */
  summaryLost: number | null
  /** Total time of all calls and checks, and time of their longest chain; ms of the trial clock. */
  workMs: number
  pathMs: number
  /** Input tokens of each role. */
  context: Map<string, ContextGrowth>
}

/** Input tokens of the asks of one role in a trial: number of asks, first, last and largest input. */
interface ContextGrowth {
  asks: number
  first: number
  last: number
  peak: number
}

/** Returns the share of the facts of a text that its summary holds, 0 to 1; null if the text has none. */
type Recall = (text: string, summary: string) => number | null

/** Measures a trial from its steps. Only steps that the method pays count; the caller leaves out voided ones. */
export function measureCoordination(steps: Iterable<Step>, recall: Recall): TrialCoordination {
  const own = [...steps].filter((step) => step.payer === 'method')
  const asks = own.filter((step): step is AskStep => step.kind === 'ask').sort(byClock)
  const checks = own.filter((step): step is CheckStep => step.kind === 'check')
  const received = findMessages(asks)
  const messages = received.flatMap((one) => one.messages)
  const calls = own.filter((step): step is ToolStep => step.kind === 'tool')
  const timed = [...asks, ...checks, ...calls]
  return {
    calls: asks.length,
    turns: new Set(asks.map(({ key }) => effectKey(key))).size,
    checks: checks.length,
    tokens: sum(asks, ({ tokens }) => (tokens.input ?? 0) + (tokens.output ?? 0)),
    byKind: addUp(asks.map((ask, i) => tokensByKind(ask, received[i]?.shareOfOthers ?? 0))),
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

function byClock(a: AskStep, b: AskStep): number {
  const [branchOfA, branchOfB] = [branchOf(a), branchOf(b)]
  if (branchOfA === branchOfB) return comparePlaces(a.key, b.key) || a.attempt - b.attempt
  return a.at - b.at || (branchOfA < branchOfB ? -1 : 1)
}

// The preamble puts the task text before the prompt of every producing role.
const preambled = /^# Task\n([\s\S]*?)\n\n# What to hand in\n/

function requestKept(asks: readonly AskStep[]): number | null {
  const kept = countRequestKept(asks)
  return kept && kept.held / kept.asked
}

/**
 * Counts the asks, and those whose prompt holds the task text verbatim; null if no prompt shows the task text. `asks` are
 * attempts; only first attempts count, and of an ask with tools the first turn. Recorded replies answered a prompt that is not known.
 */
export function countRequestKept(asks: readonly AskStep[]): { held: number; asked: number } | null {
  const first = asks.filter(
    ({ key, attempt, sample }) => attempt === 1 && isFirstTurn(key) && sample === undefined,
  )
  const request = first.map(({ prompt }) => preambled.exec(prompt)?.[1]).find((text) => text !== undefined)
  if (request === undefined) return null
  return { held: first.filter(({ prompt }) => prompt.includes(request)).length, asked: first.length }
}

function summaryLost(asks: readonly AskStep[], recall: Recall): number | null {
  const shares = asks
    .filter(
      ({ work, reply, repair, toolCalls }) =>
        work === 'summarise' && reply !== undefined && !repair && !toolCalls,
    )
    // The text to shorten is under a heading; the instruction of the strategy comes before it.
    .map(({ prompt, reply = '' }) => recall(prompt.slice(prompt.indexOf('\n\n## ') + 1), reply))
    .filter((share) => share !== null)
  return meanOf(shares.map((share) => 1 - share))
}

function contextOf(asks: readonly AskStep[]): Map<string, ContextGrowth> {
  const roles = new Map<string, ContextGrowth>()
  for (const { key, role, tokens, repair, retry } of asks) {
    const { input } = tokens
    if (input === null || repair || retry) continue
    const known = roles.get(role)
    if (known) {
      // Each turn of an ask has more to read, but it is one ask.
      if (isFirstTurn(key)) known.asks++
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

/** Kinds of token spending. */
export const spendingKinds = [
  'work',
  'hand-off',
  'summary',
  'vote',
  'judging',
  'orchestration',
  'repair',
] as const
/** A kind of token spending; see `spendingKinds`. */
export type SpendingKind = (typeof spendingKinds)[number]

/** Tokens by kind of spending. */
export type ByKind = Record<SpendingKind, number>

/** Returns zero tokens of every kind. */
export const noTokens = (): ByKind => ({
  work: 0,
  'hand-off': 0,
  summary: 0,
  vote: 0,
  judging: 0,
  orchestration: 0,
  repair: 0,
})

const kindOfWork = {
  produce: 'work',
  judge: 'judging',
  summarise: 'summary',
  decide: 'orchestration',
} as const satisfies Record<AskStep['work'], SpendingKind>

/**
 * Splits the reported tokens of a call by kind. A repair or a retry is `repair` for any role; a call with the purpose
 * `vote` is `vote`; else the role's kind of work decides. In the input of a producing role the part that other agents wrote
 * (`shareOfOthers`, a share of the prompt) is `hand-off`.
 */
function tokensByKind(ask: AskStep, shareOfOthers: number): ByKind {
  const tokens = noTokens()
  const input = ask.tokens.input ?? 0
  const output = ask.tokens.output ?? 0
  if (ask.repair || ask.retry) tokens.repair = input + output
  else if (ask.purpose === 'vote') tokens.vote = input + output
  else if (ask.work !== 'produce') tokens[kindOfWork[ask.work]] = input + output
  else {
    tokens['hand-off'] = input * shareOfOthers
    tokens.work = input * (1 - shareOfOthers) + output
  }
  return tokens
}
