import { type CompareOptions, compareMethods } from '../../../src/analysis/compare/compare.ts'
import { createComparisonData } from '../../../src/analysis/compare/rows.ts'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { createComparisonReport } from '../../../src/reports/comparison/comparison-report.ts'
import type { ComparisonFacts } from '../../../src/reports/comparison/run-notes.ts'
import { createReport, type Report } from '../../../src/reports/report.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'

/** Facts of one whole live run. */
export const facts: ComparisonFacts = {
  runs: [
    {
      run: 'results/r1',
      createdAt: '2026-01-02T03:04:05.000Z',
      bench: '0.1.0, commit abc',
      calledIn: null,
      timing: null,
      models: ['anthropic:claude (answered as claude-2026-01-01)'],
      prices: 'list 1.0 of 2026-01-01',
      data: 'd'.repeat(64),
      planned: 40,
      recorded: 40,
      stoppedByLimit: false,
    },
  ],
  stated: 'plan',
  looks: [],
  differing: [],
  command: 'bench report results/r1',
}

/** Returns a report of records with their comparison, by default with few resamples. */
export function comparedReport(
  records: readonly TrialRecord[],
  options: CompareOptions = {},
  more: Partial<ComparisonFacts> = {},
): Report {
  const comparisonData = createComparisonData()
  const summary = createSummary({ baseline: options.baseline ?? null })
  for (const record of records) {
    comparisonData.add(record)
    summary.add(record)
  }
  const comparison = compareMethods(comparisonData, { resamples: 200, ...options })
  return createReport(summary.result(), {
    run: 'results/r1',
    comparison: createComparisonReport(comparison, { ...facts, ...more }),
  })
}
