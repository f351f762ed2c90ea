import type { TrialRecord } from '../../../schema/ledger/record.ts'
import { addEpoch, type SeenEpochs } from '../../epochs.ts'
import { type GradedSums, type GradedTask, gradedTask } from '../../ratios/known-price.ts'
import { isMissing, knownListCost, listCostPart } from '../../tally.ts'
import { addTrial, emptySums, type TaskValue, type TrialSums, taskValue } from '../../tasks/task-value.ts'
import type { Outcome, Spent } from '../comparison.ts'

/** What is summed up of each trial, by its place among the sums. */
const places: Record<Outcome | Spent, number> = { success: 0, score: 1, tokens: 2, costUsd: 3, durationMs: 4 }
const measures = Object.keys(places).length

/** The trials of one task under one method, summed up one by one. */
export interface Cell extends SeenEpochs {
  run: number
  sums: TrialSums
  /** Over all graded trials, the cost being what is known of it; all costs of a comparison are at uncached list prices. */
  graded: GradedSums
  /** Over those of them whose cost is known. */
  priced: GradedSums
}

/** A cell without a trial. */
export function emptyCell(): Cell {
  return {
    upTo: 0,
    beyond: null,
    run: 0,
    sums: emptySums(measures),
    graded: { trials: 0, cost: 0, success: 0 },
    priced: { trials: 0, cost: 0, success: 0 },
  }
}

/** Adds a trial; throws `UserError` when its epoch was there before. What was not graded for want of a grader is not missing. */
export function addToCell(cell: Cell, record: TrialRecord): void {
  const { sums, graded, priced } = cell
  addEpoch(cell, record)
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
  addGraded(graded, listCostPart(record) ?? 0, passed)
  if (cost !== null) addGraded(priced, cost, passed)
}

function addGraded(sums: GradedSums, cost: number, passed: boolean): void {
  sums.trials++
  sums.cost += cost
  if (passed) sums.success++
}

/** One measure over the task's trials; of no cell, that of no trials. */
export function cellValue(cell: Cell | undefined, of: Outcome | Spent): TaskValue {
  return taskValue(cell?.sums ?? emptySums(measures), places[of])
}

/** The task's costs and successes over its graded trials; null where it has none. */
export function gradedTaskOf({ graded, priced }: Cell): GradedTask | null {
  return gradedTask(graded, priced)
}
