import { oneWayAnovaP } from '../families/one-way-anova.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import type { SuiteRow } from './comparison.ts'
import type { SuiteAgreement, Verdict } from './pair-results.ts'

/**
 * Returns how the suites of a pair agree with each other and with the verdict over all tasks; null for a single suite.
 * `differences` are the task differences of each suite. `limits`: false if intervals for a fixed number of tasks are void.
 */
export function suiteAgreement(
  pair: { a: string; b: string; verdict: Verdict | null },
  rows: readonly SuiteRow[],
  differences: readonly (readonly number[])[],
  { confidence, limits }: { confidence: number; limits: boolean },
): SuiteAgreement | null {
  const known = rows.filter(({ a, b, nTasks }) => a === pair.a && b === pair.b && nTasks > 0)
  if (known.length < 2) return null
  const names = (isSo: (row: SuiteRow) => boolean) => known.filter(isSo).map(({ suite }) => suite)
  const sides = {
    forA: names(({ estimate }) => (estimate ?? 0) > 0),
    forB: names(({ estimate }) => (estimate ?? 0) < 0),
    clearlyForA: limits ? names(({ lower }) => (lower ?? 0) > 0) : [],
    clearlyForB: limits ? names(({ upper }) => (upper ?? 0) < 0) : [],
  }
  const { verdict } = pair
  const against = verdict?.word === 'better' ? (verdict.method === pair.a ? sides.forB : sides.forA) : []
  const tasks = known.reduce((sum, { nTasks }) => sum + nTasks, 0)
  const unevenP = limits && tasks >= fewestTasks ? (oneWayAnovaP(differences) ?? 1) : 1
  return {
    count: known.length,
    ...sides,
    disagreement:
      sides.clearlyForA.length > 0 && sides.clearlyForB.length > 0
        ? 'opposite'
        : against.length > 0
          ? 'against-verdict'
          : unevenP < 1 - confidence
            ? 'uneven'
            : null,
  }
}
