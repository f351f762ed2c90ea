import { createGathering, type Gathering } from '../analysis/compare/gather.ts'
import { createErrorFlow, type ErrorFlowBuilder } from '../analysis/coordination/error-flow.ts'
import { createSummary, type SummaryBuilder } from '../analysis/summarize.ts'
import type { Summary } from '../analysis/summary.ts'
import { digestedLines } from '../loop/digested-lines.ts'
import { readSummedRecords } from '../loop/records.ts'
import { limitsText } from '../reports/limit-text.ts'
import { createReport, type Report } from '../reports/report.ts'
import type { Section } from '../reports/section.ts'
import { rowNames } from '../schema/agent-set.ts'
import type { SummedRecord } from '../schema/record.ts'
import type { RunManifest } from '../schema/run.ts'
import { tellNote } from './tell-note.ts'

/** What reports need of a run's records. */
export interface RunSums {
  summary: SummaryBuilder
  gathering: Gathering
  errorFlow: ErrorFlowBuilder
  add(record: SummedRecord): void
}

/** The sums of a run without a record, to be given its records in the order of the file. */
export function emptySums(manifest: RunManifest, baseline = manifest.baseline): RunSums {
  const summary = createSummary({
    baseline,
    methods: manifest.methods.map(({ label }) => label),
    agentSets: manifest.agentSets?.map(({ label }) => label) ?? [],
    planned: manifest.trials / rowNames(manifest).length,
  })
  const gathering = createGathering()
  const errorFlow = createErrorFlow(manifest.methods.map(({ label }) => label))
  return {
    summary,
    gathering,
    errorFlow,
    add(record) {
      summary.add(record)
      gathering.add(record)
      errorFlow.add(record)
    },
  }
}

/** Reads a run's records into tables, one at a time. */
export async function reportOf(folder: string, manifest: RunManifest, baseline?: string): Promise<Report> {
  const sums = emptySums(manifest, baseline)
  const lines = await digestedLines(folder)
  readSummedRecords(folder, lines, sums.add)
  tellNote(lines.note?.())
  return reportFrom(folder, manifest, sums, { baseline, data: lines.digest.result() })
}

/** The tables of what was summed up; `data`: the digest of its records, where it is known. */
export async function reportFrom(
  folder: string,
  manifest: RunManifest,
  { summary, gathering, errorFlow }: RunSums,
  { baseline, data }: { baseline?: string | undefined; data?: string } = {},
): Promise<Report> {
  const result = kindOf(manifest, summary.result())
  const seen = { gathering, recorded: result.records, baseline, data }
  // Loaded when there is something to compare: a run must not wait for statistics before it begins.
  const comparison =
    rowNames(manifest).length < 2 || manifest.request
      ? null
      : (await import('./comparison-of.ts')).comparisonOf(folder, manifest, seen)
  // An interval for a fixed number of tasks is wrong for a run that was looked at while it went on.
  const looked = comparison !== null && ['looked', 'stop-rule'].includes(comparison.comparison.silence ?? '')
  const sections = await errorFlowOf(errorFlow, result.simulated)
  return createReport(looked ? withoutLimits(result) : result, {
    run: folder,
    comparison,
    sections,
    prices: manifest.prices,
    limits: limitsText(manifest),
  })
}

/** What a run's numbers are, though it has none yet: no record tells it. */
function kindOf({ simulated, profile }: RunManifest, summary: Summary): Summary {
  if (summary.records > 0) return summary
  return { ...summary, simulated, profiles: simulated && profile ? [profile.id] : [] }
}

async function errorFlowOf(errorFlow: ErrorFlowBuilder, simulated: boolean): Promise<Section[]> {
  const rows = errorFlow.result()
  if (rows.length === 0) return []
  // Loaded where candidates were graded alone: few runs do, and all wait for what they load.
  const { errorFlowSection } = await import('../reports/coordination/sections.ts')
  return [errorFlowSection(rows, simulated)]
}

function withoutLimits(summary: Summary): Summary {
  const none = { lower: null, upper: null }
  return {
    ...summary,
    methods: summary.methods.map((row) => ({
      ...row,
      success: { ...row.success, ...none, interval: null },
      costPerSuccess: { ...row.costPerSuccess, ...none },
    })),
  }
}
