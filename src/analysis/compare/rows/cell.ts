import type { TrialRecord } from '../../../schema/ledger/record.ts'
import { type GradedSums, type GradedTask, gradedTask } from '../../ratios/known-price.ts'
import { addEpoch, isMissing, knownListCost, listCostPart, type SeenEpochs } from '../../tally.ts'
import { addTrial, emptySums, type TaskValue, type TrialSums, taskValue } from '../../tasks/task-value.ts'
import type { Outcome, Spent } from '../comparison.ts'

/** Measures that are summed over trials, with their index among the sums. */
const places: Record<Outcome | Spent, number> = { success: 0, score: 1, tokens: 2, costUsd: 3, durationMs: 4 }
const measures = Object.keys(places).length

/** Sums over the trials of one task and method. */
export interface Cell extends SeenEpochs {
  run: number
  sums: TrialSums
  /** Over all graded trials, with the known part of their cost; all costs of a comparison are at uncached list prices. */
  graded: GradedSums
  /** Over the graded trials with a known cost. */
  priced: GradedSums
}

/** Returns a cell without trials. */
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

/** Adds a trial. Throws `UserError` if its epoch was added before. A trial without a grade is not missing. */
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

/** Returns one measure over the trials of a cell; without a cell, the value of no trials. */
export function cellValue(cell: Cell | undefined, of: Outcome | Spent): TaskValue {
  return taskValue(cell?.sums ?? emptySums(measures), places[of])
}

/** Returns the costs and successes of the graded trials; null without any. */
export function gradedTaskOf({ graded, priced }: Cell): GradedTask | null {
  return gradedTask(graded, priced)
}
