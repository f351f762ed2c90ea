import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'

/** Returns one note per text with the names of its methods, or "Each method" if it applies to all. */
export function groupByText(
  summary: Summary,
  rows: readonly MethodSummary[],
  describe: (row: MethodSummary) => string,
): string[] {
  const groups = new Map<string, string[]>()
  for (const row of rows) {
    const text = describe(row)
    if (text !== '') groups.set(text, [...(groups.get(text) ?? []), methodName(row, summary)])
  }
  return [...groups].map(([text, names]) => {
    if (names.length < summary.methods.length) return `${names.join(', ')}: ${text}.`
    return names.length > 1 ? `Each method: ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  })
}
