import { compareMethods } from '../../analysis/compare/compare.ts'
import type { ComparisonData } from '../../analysis/compare/rows.ts'
import { readInterimLooks } from '../../loop/record/interim-looks.ts'
import { type ComparisonReport, createComparisonReport } from '../../reports/comparison/comparison-report.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { shellWord } from '../../text/shell-word.ts'
import { compareOptions, testRefusal } from './compare-options.ts'
import { runFacts } from './run-facts.ts'

/** Compares the methods of a run as its plan states; null if no pair can be compared. */
export function compareRun(
  folder: string,
  manifest: RunManifest,
  {
    comparisonData,
    recorded,
    baseline,
    data,
  }: {
    comparisonData: ComparisonData
    recorded: number
    baseline?: string | undefined
    data?: string | undefined
  },
): ComparisonReport | null {
  const facts = runFacts(folder, manifest, recorded, data)
  const looks = readInterimLooks(folder).map(({ records }) => records)
  const options = compareOptions(manifest, testRefusal(facts, looks))
  // Another baseline only changes signs, unless the baseline defines the family of pairs.
  const other = baseline !== undefined && options.family !== 'baseline' ? { baseline } : {}
  return createComparisonReport(compareMethods(comparisonData, { ...options, ...other }), {
    runs: [facts],
    stated: manifest.comparison ? 'plan' : 'default',
    looks,
    differing: [],
    command: `bench report ${shellWord(folder)}`,
  })
}
