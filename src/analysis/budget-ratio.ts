import type { ConductTally } from './conduct.ts'
import type { MethodSummary } from './summary.ts'
import type { TaskTally } from './tally.ts'

interface Row {
  method: string
  set: string | null
  tasks: ReadonlyMap<string, TaskTally>
  conduct: ConductTally
}

/** Largest relative deviation from the target that counts as matched. */
const tolerance = 0.1

/**
 * Returns a control's spend relative to the method that it had to match: by task the ratio of the means, in total the ratio
 * of their sums over the tasks where both are known. Null for a row without a method to match.
 */
export function budgetRatio({ set, tasks, conduct }: Row, rows: readonly Row[]): MethodSummary['match'] {
  const { match, attempts } = conduct
  if (!match) return null
  const matched = rows.find((row) => row.method === match.method && row.set === set)
  const means = [...tasks.values()].map((tally) => ({
    task: tally.task,
    attempts: attempts.get(tally.task) ?? null,
    own: meanOf(tally, match.unit),
    target: meanOf(matched?.tasks.get(tally.task), match.unit),
  }))
  const known = means.flatMap(({ own, target }) => (own === null || target === null ? [] : [{ own, target }]))
  const sum = (side: 'own' | 'target') => known.reduce((total, one) => total + one[side], 0)
  const ratio = sum('target') > 0 ? sum('own') / sum('target') : null
  return {
    ...match,
    ratio,
    isMatched: ratio !== null && Math.abs(ratio - 1) <= tolerance,
    nTasks: known.length,
    tasks: means.map(({ task, attempts, own, target }) => ({
      task,
      attempts,
      ratio: own === null || target === null || target === 0 ? null : own / target,
    })),
  }
}

/** Returns the mean per trial of one task; null unless it is known for every trial. */
function meanOf(
  tally: TaskTally | undefined,
  unit: NonNullable<MethodSummary['match']>['unit'],
): number | null {
  if (!tally || tally.ended === 0) return null
  if (unit === 'calls') return tally.calls / tally.ended
  const [trials, sum] = unit === 'tokens' ? [tally.tokenTrials, tally.tokens] : [tally.listTrials, tally.list]
  return trials < tally.ended ? null : sum / trials
}
