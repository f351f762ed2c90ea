import type { StopRule } from '../../schema/run/comparison-plan.ts'
import { type InterimLook, takeLook } from '../sequential/stop-rule.ts'
import type { TaskValue } from '../tasks/task-value.ts'
import { type ComparisonRow, cellValue, pairPlaces } from './rows.ts'

type LabelledRow = ComparisonRow & { label: string }

interface StopRuleOptions {
  /** Tasks in the order in which the plan runs them. */
  order: readonly string[]
  /** Planned epochs of each task, and the number of rows: methods times sets of agents. */
  epochs: number
  methods: number
  outcome: 'success' | 'score'
  family: 'all-pairs' | 'baseline'
  baseline: string | null
  stop: StopRule
}

/** State of a stop rule after the finished tasks of a run. */
export interface StopRuleState {
  /** Finished tasks that count: all of them, or those up to the task at which every pair was settled. */
  tasks: string[]
  /** Number of looks, one after each task that counts. */
  looks: number
  /** Number of finished tasks after which every pair was settled; null: not yet. */
  settledAt: number | null
  comparisons: number
  pairs: { a: string; b: string; look: InterimLook }[]
}

/**
 * Applies the rule to every pair of the family after each finished task, in the order of the plan. A task is finished when
 * every method has all its epochs and all earlier tasks are finished, so the decision does not depend on which trial
 * ended first.
 */
export function checkStopRule(rows: readonly LabelledRow[], options: StopRuleOptions): StopRuleState {
  const { stop, outcome } = options
  const finished = finishedTasks(rows, options)
  const places = pairPlaces(rows, options.family, options.baseline)
  const lookAtPairs = (tasks: readonly string[]) =>
    places.map(([first, second]) => {
      const [a, b] = [rows[first] as LabelledRow, rows[second] as LabelledRow]
      return { a: a.label, b: b.label, ...lookAtPair(tasks, a, b, outcome, stop) }
    })
  const last = lookAtPairs(finished)
  const settledAt = last.every(({ settledAfter }) => settledAfter !== null)
    ? last.reduce((most, { settledAfter }) => Math.max(most, settledAfter as number), 0)
    : 0
  const tasks = settledAt > 0 ? finished.slice(0, settledAt) : finished
  return {
    tasks,
    looks: tasks.length,
    settledAt: settledAt > 0 ? settledAt : null,
    comparisons: stop.comparisons,
    pairs: settledAt > 0 ? lookAtPairs(tasks) : last,
  }
}

function finishedTasks(
  rows: readonly ComparisonRow[],
  { order, epochs, methods }: Pick<StopRuleOptions, 'order' | 'epochs' | 'methods'>,
): string[] {
  if (rows.length < methods) return []
  const open = order.findIndex((task) => rows.some(({ cells }) => (cells.get(task)?.run ?? 0) < epochs))
  return open < 0 ? [...order] : order.slice(0, open)
}

function lookAtPair(
  tasks: readonly string[],
  a: ComparisonRow,
  b: ComparisonRow,
  outcome: 'success' | 'score',
  stop: StopRule,
): { look: InterimLook; settledAfter: number | null } {
  const differences: number[] = []
  // A task without a value of both methods is skipped by the rule, but counts as a task of the run.
  const places: number[] = []
  for (const [place, task] of tasks.entries()) {
    const difference = differenceOf(
      cellValue(a.cells.get(task), outcome),
      cellValue(b.cells.get(task), outcome),
    )
    if (difference === null) continue
    differences.push(difference)
    places.push(place + 1)
  }
  const look = takeLook(differences, stop)
  const settledAfter = look.settledAt === null ? null : (places[look.settledAt - 1] ?? null)
  return { look, settledAfter }
}

function differenceOf(a: TaskValue, b: TaskValue): number | null {
  if (a.mean === null || b.mean === null) return null
  return a.mean - b.mean
}
