import type { Comparison, SuiteRow } from '../../../analysis/compare/comparison.ts'
import { confidenceName } from '../../tables/method-columns.ts'
import { counted } from '../../words/numbers.ts'
import { pairName } from '../pair-columns.ts'
import { levelOf } from '../result-text.ts'

/** Returns what a verdict over several suites is over; empty for a single suite. */
export function pooledNotes({ suites, pairs, silence }: Comparison): string[] {
  if (suites.length === 0) return []
  const tasks = new Map<string, number>()
  for (const { suite, nTasks } of suites) tasks.set(suite, Math.max(tasks.get(suite) ?? 0, nTasks))
  const sizes = [...tasks].map(([suite, count], i) => `${suite} ${i === 0 ? counted(count, 'task') : count}`)
  const what = silence === null && pairs.some(({ verdict }) => verdict !== null) ? 'verdict' : 'difference'
  return [`The ${what} is over all tasks; a suite weighs by its tasks (${sizes.join(', ')}).`]
}

/** Returns on how many suites which method is better; empty where suites are not tested. */
export function suiteWinNotes(comparison: Comparison): string[] {
  const { suites } = comparison
  if (suites.every(({ adjustedP }) => adjustedP === null)) return []
  const names = [...new Set(suites.map(pairName))]
  const wins = names.map((name) => ({
    name,
    words: winsOf(
      suites.filter((row) => pairName(row) === name),
      comparison,
    ),
  }))
  const open = wins.filter(({ words }) => words.length === 0).map(({ name }) => name)
  const shown = wins.flatMap(({ words }) => words)
  return [
    ...(shown.length > 0
      ? [`By suite, at ${confidenceName(comparison)} over the suites of a pair: ${shown.join('; ')}.`]
      : []),
    ...(open.length > 0 ? [`No difference is established on any suite: ${open.join(', ')}.`] : []),
  ]
}

function winsOf(rows: readonly SuiteRow[], comparison: Comparison): string[] {
  const [{ a, b }] = rows as [SuiteRow]
  const level = levelOf(comparison)
  const shown = rows.filter(
    ({ adjustedP, refusal }) => adjustedP !== null && adjustedP < level && refusal === null,
  )
  const better = (method: string, other: string, sign: 1 | -1) => {
    const where = shown.filter(({ estimate }) => Math.sign(estimate ?? 0) === sign)
    if (where.length === 0) return []
    return [
      `${method} is better than ${other} on at least ${where.length} of ${rows.length} suites (${where.map(({ suite }) => suite).join(', ')})`,
    ]
  }
  return [...better(a, b, 1), ...better(b, a, -1)]
}
