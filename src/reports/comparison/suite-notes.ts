import type { Comparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import { pairName } from './pair-columns.ts'

/** Returns the notes of the table of suites; empty for a single suite. */
export function suiteNotes(comparison: Comparison): string[] {
  const { suites } = comparison
  if (suites.length === 0) return []
  const averaged = 'scores of different suites are not averaged into a verdict'
  if (suites.every(({ adjustedP }) => adjustedP === null))
    return [`By suite: described, not tested; ${averaged}.`]
  const pairs = [...new Set(suites.map(pairName))].map((name) =>
    suites.filter((row) => pairName(row) === name),
  )
  return [
    `By suite: ${averaged}. p: as for the pair, adjusted over the suites of each pair (Holm), not over pairs. ${pairs.map((rows) => winsOf(rows, comparison)).join(' ')}`,
  ]
}

function winsOf(rows: readonly SuiteRow[], comparison: Comparison): string {
  const [{ a, b }] = rows as [SuiteRow]
  const alpha = 1 - comparison.confidence
  const shown = rows.filter(
    ({ adjustedP, refusal }) => adjustedP !== null && adjustedP < alpha && refusal === null,
  )
  const better = (method: string, sign: 1 | -1) => {
    const where = shown.filter(({ estimate }) => Math.sign(estimate ?? 0) === sign)
    if (where.length === 0) return []
    return [
      `${method} is better on at least ${where.length} of ${rows.length} suites (${where.map(({ suite }) => suite).join(', ')})`,
    ]
  }
  const words = [...better(a, 1), ...better(b, -1)]
  if (words.length === 0) return `${a} and ${b}: no difference is established on any suite.`
  return `${words.join('; ')}, at ${confidenceName(comparison)}.`
}
