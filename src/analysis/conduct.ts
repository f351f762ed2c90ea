import { peopleOf, type TrialRecord } from '../schema/ledger/record.ts'
import { addReplies, emptyReplyCounts, type ReplyCounts, replyCounts } from './reply-counts.ts'
import type { MethodSummary } from './summary.ts'
import { addToolUse } from './tool-use.ts'
import { addTrialError, type TrialErrors } from './trial-errors.ts'

/** Sums over the records of a row: fidelity to the declaration, own judges, claims without a delivery, tools, matched budgets. */
export interface ConductTally
  extends Pick<
    MethodSummary,
    'fidelity' | 'ownJudge' | 'people' | 'toolUse' | 'leftOut' | 'gateway' | 'doneWithNothing'
  > {
  match: Pick<NonNullable<MethodSummary['match']>, 'method' | 'unit'> | null
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
export function rareConduct({
  people,
  toolUse,
  leftOut,
  gateway,
  replies: counts,
  errors,
  unsandboxed,
}: ConductTally): Pick<
  MethodSummary,
  'people' | 'toolUse' | 'leftOut' | 'gateway' | 'replies' | 'errors' | 'unsandboxed'
> {
  const replies = replyCounts(counts)
  return {
    ...(people && { people: { ...people } }),
    ...(toolUse && { toolUse: structuredClone(toolUse) }),
    ...(leftOut && { leftOut: { ...leftOut } }),
    ...(gateway && { gateway: structuredClone(gateway) }),
    ...(replies && { replies }),
    ...(errors.length > 0 && { errors: structuredClone(errors) }),
    ...(unsandboxed > 0 && { unsandboxed }),
  }
}
