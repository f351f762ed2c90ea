import type { SummedRecord } from '../../schema/record.ts'
import type { PricedTask } from '../ratios/cost-per-success.ts'
import { isMissing, knownListCost, markEpoch } from '../tally.ts'
import { addTrial, emptyValue, type TaskValue } from '../tasks/task-value.ts'
import type { Outcome, Spent } from './comparison.ts'

/** The trials of one task under one method, summed up one by one. */
export interface Cell {
  run: number
  values: Record<Outcome | Spent, TaskValue>
  /** Sums over the graded trials whose cost is known; all costs of a comparison are at uncached list prices. */
  priced: { trials: number; cost: number; success: number }
  epochs: number[]
}

/** A cell without a trial. */
export function emptyCell(): Cell {
  return {
    run: 0,
    values: {
      success: emptyValue(),
      score: emptyValue(),
      tokens: emptyValue(),
      costUsd: emptyValue(),
      durationMs: emptyValue(),
    },
    priced: { trials: 0, cost: 0, success: 0 },
    epochs: [],
  }
}

/** Adds a trial; throws `UserError` when its epoch was there before. What was not graded for want of a grader is not missing. */
export function addToCell(cell: Cell, record: SummedRecord): void {
  const { values, priced } = cell
  markEpoch(cell.epochs, record)
  cell.run++
  if (isMissing(record)) {
    for (const value of Object.values(values)) value.missing++
    return
  }
  const cost = knownListCost(record)
  const { spent, passed } = record
  addTrial(values.tokens, spent.unreportedTokens > 0 ? null : spent.input + spent.output)
  addTrial(values.costUsd, cost)
  addTrial(values.durationMs, record.durationMs)
  if (passed === null) return
  addTrial(values.success, passed ? 1 : 0)
  if (record.score !== null) addTrial(values.score, record.score)
  if (cost === null) return
  priced.trials++
  priced.cost += cost
  priced.success += passed ? 1 : 0
}

/** The task's cost and success over its priced trials; null where it has none. */
export function pricedTask({ priced: { trials, cost, success } }: Cell): PricedTask | null {
  return trials === 0 ? null : { cost: cost / trials, success: success / trials }
}
