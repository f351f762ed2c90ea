import { createComparisonData } from '../../analysis/compare/rows.ts'
import { createFigureData, type FigureData } from '../../analysis/figures/figure-data.ts'
import { createFigureTrials } from '../../analysis/figures/figure-trials.ts'
import { allSteps } from '../../loop/journal/ledger-index.ts'
import { dataDigest, readRecords } from '../../loop/record/records.ts'
import type { Report } from '../../reports/report.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Returns the data of a run's figures, from its records and steps. The report must be of the same run. */
export function readFigureData(
  folder: string,
  manifest: RunManifest,
  { summary, comparison }: Report,
): FigureData {
  const trials = createFigureTrials()
  const comparisonData = createComparisonData()
  for (const record of readRecords(folder)) {
    trials.addRecord(record)
    comparisonData.add(record)
  }
  for (const step of allSteps(folder)) trials.addStep(step)
  return createFigureData(trials.result(), comparisonData, {
    summary,
    comparison: comparison?.comparison ?? null,
    methods: manifest.methods.map(({ label }) => label),
    source: `Made by bench ${manifest.versions.bench} from records with the SHA-256 ${dataDigest(folder)}.`,
  })
}
