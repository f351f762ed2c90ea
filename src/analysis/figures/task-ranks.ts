import type { Comparison, PairComparison } from '../compare/comparison.ts'
import { type ComparisonRow, cellValue } from '../compare/rows.ts'
import { friedmanTest, nemenyiCriticalDifference } from '../families/friedman-test.ts'
import { differences } from '../paired/task-difference.ts'
import { type Refusal, refusals } from '../refusal.ts'

/** Methods by their average rank over tasks (Demsar 2006). */
export interface RankDiagram {
  nTasks: number
  /** Best first; ties share the mean of their ranks. */
  ranks: { label: string; rank: number }[]
  /** Critical difference of two average ranks (Nemenyi, at 1 - confidence), and the widest groups within it; null: see `silence`. */
  critical: { difference: number; groups: string[][] } | null
  /** Why there are no ranks; null: there are. */
  refusal: string | null
  /** Why there are ranks, but no critical difference. */
  silence: Refusal | null
}

const least = { methods: 3, tasks: 10 }

/** Ranks the methods by the primary outcome over the tasks that all have. `rows` are those of the comparison. */
export function rankDiagram(
  { tasks, outcome, silence, confidence, methods }: Comparison,
  rows: readonly (ComparisonRow & { label: string })[],
): RankDiagram {
  const wanted = rows.filter(({ label }) => methods.some((method) => method.label === label))
  const value = (row: ComparisonRow, task: string) => {
    const mean = cellValue(row.cells.get(task), outcome).mean
    // Means of the same epochs in another order differ in the last bit, and would not tie.
    return mean === null ? null : Number(mean.toFixed(12))
  }
  const matrix = tasks.map((task) => wanted.map((row) => value(row, task)))
  const nTasks = matrix.filter((row) => row.every((one) => one !== null)).length
  const refused = (refusal: string) => ({ nTasks, ranks: [], critical: null, refusal, silence })
  if (wanted.length < least.methods)
    return refused(`ranks need at least ${least.methods} methods, and there are ${wanted.length}`)
  if (nTasks < least.tasks)
    return refused(`ranks need at least ${least.tasks} tasks that all methods have, and there are ${nTasks}`)
  const { averageRanks, refusal } = friedmanTest(matrix, true)
  if (refusal !== null) return refused(refusals[refusal])
  const ranks = wanted
    .map(({ label }, index) => ({ label, rank: averageRanks[index] as number }))
    .sort((a, b) => a.rank - b.rank || (a.label < b.label ? -1 : 1))
  const difference = nemenyiCriticalDifference(wanted.length, nTasks, 1 - confidence).cd
  const critical = silence === null ? { difference, groups: groupsWithin(ranks, difference) } : null
  return { nTasks, ranks, critical, refusal: null, silence }
}

function groupsWithin(ranks: readonly { label: string; rank: number }[], difference: number): string[][] {
  const ends = ranks.map(({ rank }) => ranks.findLastIndex((other) => other.rank - rank <= difference))
  return ends.flatMap((end, start) =>
    end > start && (start === 0 || (ends[start - 1] as number) < end)
      ? [ranks.slice(start, end + 1).map(({ label }) => label)]
      : [],
  )
}

/** Differences of a pair of methods, task by task. */
export interface PairDifferences {
  pair: PairComparison
  /** A - B of the primary outcome on the tasks that both have, largest first. */
  tasks: { task: string; difference: number }[]
}

type LabelledRow = ComparisonRow & { label: string }

/** Returns the task differences of each pair of a comparison. `rows` are those of the comparison. */
export function taskDifferences(
  { pairs, tasks, outcome }: Comparison,
  rows: readonly LabelledRow[],
): PairDifferences[] {
  const meanOn = (label: string, task: string) =>
    cellValue(rows.find((row) => row.label === label)?.cells.get(task), outcome).mean
  return pairs.map((pair) => {
    const both = tasks.flatMap((task) => {
      const [a, b] = [meanOn(pair.a, task), meanOn(pair.b, task)]
      return a === null || b === null ? [] : [{ task, a, b }]
    })
    const values = differences(
      both.map(({ a }) => a),
      both.map(({ b }) => b),
    )
    return {
      pair,
      tasks: both
        .map(({ task }, index) => ({ task, difference: values[index] as number }))
        .sort((x, y) => y.difference - x.difference || (x.task < y.task ? -1 : 1)),
    }
  })
}
