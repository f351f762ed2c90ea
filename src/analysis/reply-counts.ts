import type { Finish } from '../schema/ledger/finish.ts'
import type { OtherModel, TrialRecord } from '../schema/ledger/record.ts'

/** How the replies of a method ended and who gave them, over all its trials with a record. */
export interface ReplyCounts {
  /** All calls of these trials. */
  calls: number
  /** Replies that did not end by `stop`, or by a call of a tool that the ask has. */
  finishes: Partial<Record<Finish, number>>
  /** Calls that another model answered than was asked for. */
  otherModels: OtherModel[]
}

/** Returns counts over no records. */
export const emptyReplyCounts = (): ReplyCounts => ({ calls: 0, finishes: {}, otherModels: [] })

/** Adds one record. */
export function addReplies(
  counts: ReplyCounts,
  { spent, finishes = {}, otherModels = [] }: TrialRecord,
): void {
  counts.calls += spent.calls
  for (const [finish, count] of Object.entries(finishes) as [Finish, number][])
    counts.finishes[finish] = (counts.finishes[finish] ?? 0) + count
  for (const { agent, model, calls } of otherModels) {
    const known = counts.otherModels.find((one) => one.agent === agent && one.model === model)
    if (known) known.calls += calls
    else counts.otherModels.push({ agent, model, calls })
  }
}

/** Returns a copy of the counts; undefined if they count nothing besides calls. */
export function replyCounts(counts: ReplyCounts): ReplyCounts | undefined {
  const { finishes, otherModels } = counts
  return Object.keys(finishes).length + otherModels.length === 0 ? undefined : structuredClone(counts)
}
