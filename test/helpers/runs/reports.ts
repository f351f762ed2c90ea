import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { createReport, type Report } from '../../../src/reports/report.ts'
import { TrialRecord } from '../../../src/schema/ledger/record.ts'

const fixture = readFileSync(join(packageRoot(), 'fixtures/records/simulated.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => TrialRecord.parse(JSON.parse(line)))

/** The report of these records. */
export function report(
  records: readonly TrialRecord[],
  options: Partial<Parameters<typeof createSummary>[0]> = {},
): Report {
  const summary = createSummary({ baseline: null, ...options })
  for (const record of records) summary.add(record)
  return createReport(summary.result(), { run: 'results/r1' })
}

/** That of two methods on four tasks. */
export const simulated = report(fixture, {
  baseline: 'baseline',
  methods: ['baseline', 'sequential'],
  planned: 4,
})
