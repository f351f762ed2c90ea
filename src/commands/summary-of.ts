import type { Summary } from '../analysis/summary.ts'
import { createSummary } from '../analysis/summarize.ts'
import { readRecords } from '../loop/records.ts'
import { createReport, type Report } from '../reports/report.ts'
import type { RunManifest } from '../schema/run.ts'

/** Reads a run's records into its summary, one at a time. */
export function summaryOf(folder: string, manifest: RunManifest, baseline: string | null = manifest.baseline): Summary {
  const summary = createSummary({
    baseline,
    methods: manifest.methods.map(({ label }) => label),
    planned: manifest.trials / manifest.methods.length,
  })
  for (const record of readRecords(folder)) summary.add(record)
  return summary.result()
}

/** The same as tables. */
export function reportOf(folder: string, manifest: RunManifest, baseline?: string): Report {
  return createReport(summaryOf(folder, manifest, baseline ?? manifest.baseline), { run: folder })
}
