import { createSummary, type SummaryBuilder } from '../analysis/summarize.ts'
import { readRecords } from '../loop/records.ts'
import { createReport, type Report } from '../reports/report.ts'
import type { RunManifest } from '../schema/run.ts'

/** An empty summary of a run, to be given its records. */
export function summaryBuilder(manifest: RunManifest, baseline = manifest.baseline): SummaryBuilder {
  return createSummary({
    baseline,
    methods: manifest.methods.map(({ label }) => label),
    planned: manifest.trials / manifest.methods.length,
  })
}

/** Reads a run's records into tables, one at a time. */
export function reportOf(folder: string, manifest: RunManifest, baseline?: string): Report {
  const summary = summaryBuilder(manifest, baseline)
  for (const record of readRecords(folder)) summary.add(record)
  return createReport(summary.result(), { run: folder })
}
