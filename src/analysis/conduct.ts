import { type ModelCalls, peopleOf, type TrialRecord } from '../schema/ledger/record.ts'
import type { Finish } from '../schema/ledger/step.ts'
import { RouterState } from '../schema/method/router.ts'
import type { MethodSummary, ReplyCounts, ToolUse, TrialErrors } from './summary.ts'

/** Sums over the records of a row: fidelity to the declaration, own judges, claims without a delivery, tools, matched budgets. */
export interface ConductTally
  extends Pick<
    MethodSummary,
    'fidelity' | 'ownJudge' | 'people' | 'toolUse' | 'leftOut' | 'gateway' | 'doneWithNothing'
  > {
  match: Pick<NonNullable<MethodSummary['match']>, 'method' | 'unit'> | null
  /** Trials in which the decider of a router was asked, and those in which it named no route. */
  decider: { trials: number; unnamed: number }
  /** Attempts by task. */
  attempts: Map<string, number>
  replies: ReplyCounts
  errors: TrialErrors[]
  /** Trials in which code or an agent ran without a sandbox. */
  unsandboxed: number
}

/** Returns sums over no records. */
export const emptyConduct = (): ConductTally => ({
  fidelity: { kept: 0, deviates: 0, undeclared: 0, first: null },
  ownJudge: null,
  doneWithNothing: { trials: 0, passed: 0 },
  match: null,
  decider: { trials: 0, unnamed: 0 },
  attempts: new Map(),
  replies: emptyReplyCounts(),
  errors: [],
  unsandboxed: 0,
})

/** Adds one record. */
export function addConduct(tally: ConductTally, record: TrialRecord): void {
  const { task, fidelity, ownJudge, matched, claimed, delivered, passed } = record
  const people = peopleOf(record)
  const toolUse = addToolUse(tally.toolUse, record)
  if (toolUse) tally.toolUse = toolUse
  addReplies(tally.replies, record)
  addTrialError(tally.errors, record)
  if (record.sandbox === 'none') tally.unsandboxed++
  const { data: choice } = RouterState.safeParse(record.state?.router)
  if (choice?.by === 'decider') {
    tally.decider.trials++
    if (choice.fallback) tally.decider.unnamed++
  }
  tally.fidelity[fidelity.status]++
  if (fidelity.at !== undefined) tally.fidelity.first ??= { trial: record.trial, at: fidelity.at }
  if (ownJudge !== undefined) tally.ownJudge = { agent: ownJudge, trials: (tally.ownJudge?.trials ?? 0) + 1 }
  if (people) {
    tally.people ??= { trials: 0, approvals: 0, guidance: 0, sets: 0 }
    tally.people.trials++
    for (const kind of ['approvals', 'guidance', 'sets'] as const) tally.people[kind] += people[kind]
  }
  if (record.leftOut) {
    const { trials, refused, notCounted } = tally.leftOut ?? { trials: 0, refused: 0, notCounted: 0 }
    tally.leftOut = {
      trials: trials + 1,
      refused: refused + record.leftOut.refused,
      notCounted: notCounted + record.leftOut.notCounted,
    }
  }
  if (record.refusedRequests !== undefined || record.providerTools) {
    const { refused, trials, tools } = tally.gateway ?? { refused: 0, trials: 0, tools: [] }
    tally.gateway = {
      refused: refused + (record.refusedRequests ?? 0),
      trials: trials + (record.refusedRequests === undefined ? 0 : 1),
      tools: [...new Set([...tools, ...(record.providerTools ?? [])])].sort(),
    }
  }
  if (claimed === 'done' && delivered === null) {
    tally.doneWithNothing.trials++
    if (passed) tally.doneWithNothing.passed++
  }
  if (!matched) return
  tally.match ??= { method: matched.method, unit: matched.unit }
  tally.attempts.set(task, matched.attempts)
}

/** Returns what most rows do not have, such as what people did, calls of tools, and trials in error. */
export function rareConduct(
  tally: ConductTally,
): Pick<
  MethodSummary,
  'people' | 'toolUse' | 'decider' | 'leftOut' | 'gateway' | 'replies' | 'errors' | 'unsandboxed'
> {
  const { people, toolUse, decider, leftOut, gateway, replies, errors, unsandboxed } = tally
  const isTold = Object.keys(replies.finishes).length + replies.otherModels.length + replies.served.length > 0
  return structuredClone({
    ...(people && { people }),
    ...(toolUse && { toolUse }),
    ...(decider.unnamed > 0 && { decider }),
    ...(leftOut && { leftOut }),
    ...(gateway && { gateway }),
    ...(isTold && { replies }),
    ...(errors.length > 0 && { errors }),
    ...(unsandboxed > 0 && { unsandboxed }),
  })
}

/** Returns counts over no records. */
export const emptyReplyCounts = (): ReplyCounts => ({ calls: 0, finishes: {}, otherModels: [], served: [] })

/** Adds one record. */
export function addReplies(
  counts: ReplyCounts,
  { spent, finishes = {}, otherModels = [], served = [] }: TrialRecord,
): void {
  counts.calls += spent.calls
  for (const [finish, count] of Object.entries(finishes) as [Finish, number][])
    counts.finishes[finish] = (counts.finishes[finish] ?? 0) + count
  addModels(counts.otherModels, otherModels)
  addModels(counts.served, served, mostServed)
}

/** A server may name another model in each reply; to say that the model changed takes two. */
const mostServed = 100

function addModels(sums: ModelCalls[], added: readonly ModelCalls[], most = Number.POSITIVE_INFINITY): void {
  for (const { agent, model, calls } of added) {
    const known = sums.find((one) => one.agent === agent && one.model === model)
    if (known) known.calls += calls
    else if (sums.length < most) sums.push({ agent, model, calls })
  }
}

function addTrialError(errors: TrialErrors[], { outcome }: Pick<TrialRecord, 'outcome'>): void {
  if (outcome.status !== 'error') return
  const [, reason = 'other', first = outcome.reason] =
    /^([a-z]+(?:-[a-z]+)*): (.*)$/s.exec(outcome.reason) ?? []
  const known = errors.find((one) => one.reason === reason)
  if (known) known.trials++
  else errors.push({ reason, trials: 1, first })
}

function addToolUse(before: ToolUse | undefined, { tools }: TrialRecord): ToolUse | undefined {
  if (!tools) return before
  const use = before ?? { trials: 0, calls: 0, turns: 0, asks: 0, failed: {}, byName: {} }
  return {
    trials: use.trials + 1,
    calls: use.calls + tools.calls,
    turns: use.turns + tools.turns,
    asks: use.asks + tools.asks,
    failed: mergeWith(use.failed, tools.failed ?? {}, (a, b = 0) => a + b),
    byName: mergeWith(use.byName, tools.byName, (a, b) => ({
      calls: a.calls + (b?.calls ?? 0),
      failed: a.failed + (b?.failed ?? 0),
    })),
  }
}

/** Merges two records; a value that both have is added. Any text may be a key. */
function mergeWith<Key extends string, Value>(
  a: Partial<Record<Key, Value>>,
  b: Partial<Record<Key, Value>>,
  add: (value: Value, other: Value | undefined) => Value,
): Record<Key, Value> {
  const sums = new Map(Object.entries<Value | undefined>(a)) as Map<string, Value>
  for (const [key, value] of Object.entries<Value | undefined>(b))
    if (value !== undefined) sums.set(key, add(value, sums.get(key)))
  return Object.fromEntries(sums) as Record<Key, Value>
}
