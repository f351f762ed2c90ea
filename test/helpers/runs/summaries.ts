import { createSummary } from '../../../src/analysis/summarize.ts'
import type { MethodSummary, Summary } from '../../../src/analysis/summary.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'

/** Returns the summary of these records. */
export function summarize(
  records: Iterable<TrialRecord>,
  options: Parameters<typeof createSummary>[0] = { baseline: null },
) {
  const summary = createSummary(options)
  for (const record of records) summary.add(record)
  return summary.result()
}

/** Returns a method's row of a summary. */
export function rowOf(summary: Summary, method: string): MethodSummary {
  const row = summary.methods.find((candidate) => candidate.method === method)
  if (!row) throw new Error(`no row ${method}`)
  return row
}
