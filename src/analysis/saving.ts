import { mean } from 'simple-statistics'
import type { AgainstBaseline, Saving } from './summary.ts'
import type { TaskTally } from './tally.ts'
import { missingBounds, successValue } from './tasks/task-value.ts'

/**
 * Compares a method with the baseline, paired by task: savings of mean tokens and of mean cost at uncached list prices (a
 * ratio of means, never a mean of ratios), and the success difference. `tasks` is the number of tasks in the summary.
 */
export function compareWithBaseline(
  method: ReadonlyMap<string, TaskTally>,
  baseline: ReadonlyMap<string, TaskTally>,
  tasks: number,
): AgainstBaseline {
  const pairs = (value: (tally: TaskTally) => number | null) => pairTasks(method, baseline, value)
  const success = pairs((tally) => ratio(tally.passed, tally.graded))
  return {
    tokens: saving(
      pairs((tally) => ratio(tally.tokens, tally.tokenTrials)),
      tasks,
    ),
    cost: saving(
      pairs((tally) => ratio(tally.list, tally.listTrials)),
      tasks,
    ),
    success: {
      points: success.length === 0 ? null : 100 * mean(success.map(([ours, theirs]) => ours - theirs)),
      tasks: success.length,
      dropped: tasks - success.length,
      bounds: boundsOf(method, baseline),
    },
  }
}

function boundsOf(
  method: ReadonlyMap<string, TaskTally>,
  baseline: ReadonlyMap<string, TaskTally>,
): { low: number; high: number } | null {
  const ours = [...method.values()].map(successOf)
  const theirs = [...baseline.values()].map(successOf)
  if (![...ours, ...theirs].some(({ missing }) => missing > 0)) return null
  const { low, high } = missingBounds(ours, theirs)
  return low === null || high === null ? null : { low: 100 * low, high: 100 * high }
}

const successOf = ({ passed, graded, missing }: TaskTally) => successValue(passed, graded, missing)

function saving(pairs: readonly [number, number][], tasks: number): Saving {
  const counted = { tasks: pairs.length, dropped: tasks - pairs.length }
  if (pairs.length === 0) return { percent: null, ...counted, zeroBaseline: false }
  const ours = mean(pairs.map(([value]) => value))
  const theirs = mean(pairs.map(([, value]) => value))
  if (theirs === 0) return { percent: null, ...counted, zeroBaseline: true }
  return { percent: 100 * (1 - ours / theirs), ...counted, zeroBaseline: false }
}

function pairTasks(
  method: ReadonlyMap<string, TaskTally>,
  baseline: ReadonlyMap<string, TaskTally>,
  value: (tally: TaskTally) => number | null,
): [number, number][] {
  const pairs: [number, number][] = []
  for (const [task, tally] of method) {
    const other = baseline.get(task)
    const ours = value(tally)
    const theirs = other ? value(other) : null
    if (ours !== null && theirs !== null) pairs.push([ours, theirs])
  }
  return pairs
}

function ratio(sum: number, count: number): number | null {
  return count === 0 ? null : sum / count
}
