import type { SummedRecord } from '../../schema/record.ts'
import { markEpoch, type SeenEpochs } from '../epochs.ts'
import type { PricedTask } from '../ratios/cost-per-success.ts'
import { isMissing, knownListCost } from '../tally.ts'
import { addTrial, emptySums, summedValue, type TaskValue, type TrialSums } from '../tasks/task-value.ts'
import type { Outcome, Spent } from './comparison.ts'

/** What is summed up of each trial, by its place among the sums. */
const places: Record<Outcome | Spent, number> = { success: 0, score: 1, tokens: 2, costUsd: 3, durationMs: 4 }
const measures = Object.keys(places).length

/** The trials of one task under one method, summed up one by one. */
export interface Cell extends SeenEpochs {
  run: number
  sums: TrialSums
  /** Sums over the graded trials whose cost is known; all costs of a comparison are at uncached list prices. */
  priced: { trials: number; cost: number; success: number }
}

/** A cell without a trial. */
export function emptyCell(): Cell {
  return {
    upTo: 0,
    beyond: null,
    run: 0,
    sums: emptySums(measures),
    priced: { trials: 0, cost: 0, success: 0 },
  }
}

/** Adds a trial; throws `UserError` when its epoch was there before. What was not graded for want of a grader is not missing. */
export function addToCell(cell: Cell, record: SummedRecord): void {
  const { sums, priced } = cell
  markEpoch(cell, record)
  cell.run++
  if (isMissing(record)) {
    for (let measure = 0; measure < measures; measure++) addTrial(sums, measure, null)
    return
  }
  const cost = knownListCost(record)
  const { spent, passed } = record
  addTrial(sums, places.tokens, spent.unreportedTokens > 0 ? null : spent.input + spent.output)
  addTrial(sums, places.costUsd, cost)
  addTrial(sums, places.durationMs, record.durationMs)
  if (passed === null) return
  addTrial(sums, places.success, passed ? 1 : 0)
  if (record.score !== null) addTrial(sums, places.score, record.score)
  if (cost === null) return
  priced.trials++
  priced.cost += cost
  priced.success += passed ? 1 : 0
}

/** One measure over the task's trials; of no cell, that of no trials. */
export function cellValue(cell: Cell | undefined, of: Outcome | Spent): TaskValue {
  return summedValue(cell?.sums ?? emptySums(measures), places[of])
}

/** The task's cost and success over its priced trials; null where it has none. */
export function pricedTask({ priced: { trials, cost, success } }: Cell): PricedTask | null {
  return trials === 0 ? null : { cost: cost / trials, success: success / trials }
}
