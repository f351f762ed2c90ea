import type { TrialRecord } from '../schema/ledger/record.ts'
import { quantileOfSorted } from './numeric/moments.ts'
import type { MethodSummary } from './summary.ts'
import { isMissing, knownCost } from './tally.ts'

/** What each trial of a row spent: dollars as billed, and milliseconds of its clock; without missing trials. */
export interface TrialSpending {
  costUsd: number[]
  durationMs: number[]
  /** Trials whose cost is not wholly known. */
  unpriced: number
}

/** Returns the spending of no trials. */
export const noSpending = (): TrialSpending => ({ costUsd: [], durationMs: [], unpriced: 0 })

/** Adds what a trial spent. */
export function addSpending(spending: TrialSpending, record: TrialRecord): void {
  if (isMissing(record)) return
  const cost = knownCost(record)
  if (cost === null) spending.unpriced++
  else spending.costUsd.push(cost)
  if (record.durationMs !== null) spending.durationMs.push(record.durationMs)
}

/** Returns the 95th percentiles over trials (R: quantile, type 7). That of costs is unknown where some trial's is. */
export function tailsOf({ costUsd, durationMs, unpriced }: TrialSpending): MethodSummary['p95'] {
  const p95 = (values: readonly number[]) =>
    values.length === 0 ? null : quantileOfSorted(Float64Array.from(values).sort(), 0.95)
  return { costUsd: unpriced > 0 ? null : p95(costUsd), durationMs: p95(durationMs) }
}
