import { createComparisonData } from '../../analysis/compare/rows.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import { createSummary } from '../../analysis/summarize.ts'
import type { Summary } from '../../analysis/summary.ts'
import { readInterimLooks } from '../../loop/record/interim-looks.ts'
import { readRecords } from '../../loop/record/records.ts'
import { missingSessionsNote, verifyLedgerQuickly } from '../../loop/record/verify-ledger.ts'
import type { ComparisonFacts, RunFacts } from '../../reports/comparison/run-notes.ts'
import { servedWarnings } from '../../reports/notes/conduct-notes.ts'
import { shellWord } from '../../text/shell-word.ts'
import { reportNote } from '../terminal/report-error.ts'
import type { FlipsCollector } from './compare-flips.ts'
import { clusterNames, testRefusal, wordingsTried } from './compare-options.ts'
import {
  type ComparedSide,
  requireComparableRuns,
  requireDistinctTrials,
  requireSinglePair,
} from './compared-side.ts'
import { differingModels, differingSettings } from './differing-settings.ts'
import { runFacts } from './run-facts.ts'

/** Both sides of a comparison. */
export type Sides = readonly [ComparedSide, ComparedSide]

/** Whether both are methods of one run. */
export const isOneRun = ([a, b]: Sides): boolean => a.folder === b.folder

/** Returns the labels of both sides; of two runs with the names of these. Throws `UserError` for sides that cannot be compared. */
export function labelSides(sides: Sides, where: string): string[] {
  const [a, b] = sides
  if (isOneRun(sides)) requireSinglePair(a, b, where)
  else requireComparableRuns(a, b)
  return isOneRun(sides) ? [a.label, b.label] : labelsOfRuns(sides)
}

/** Returns the labels of sides of two runs: with the names of their folders, or where these are the same with their paths. */
function labelsOfRuns(sides: Sides): string[] {
  const [a, b] = sides
  return sides.map(({ name, folder, label }) => `${a.name === b.name ? folder : name}:${label}`)
}

/** Reads the records of both sides. Within one run it reads all methods, since the tests of a pair depend on its family. */
export function readSides(sides: Sides, labels: readonly string[], flips?: FlipsCollector) {
  const withinRun = isOneRun(sides)
  const [comparisonData, alone] = [createComparisonData(), createComparisonData()]
  const summary = createSummary({
    baseline: withinRun ? sides[1].method : (labels[1] ?? null),
    methods: withinRun ? methodsOf(sides) : labels,
    agentSets: withinRun ? setsOf(sides) : [],
    clusters: clusterNames(sides[0].manifest),
  })
  const requireDistinct = requireDistinctTrials()
  const recorded = new Map<string, number>()
  for (const folder of new Set(sides.map((side) => side.folder))) {
    const mine = sides.flatMap((side, index) => (side.folder === folder ? [{ side, index }] : []))
    let records = 0
    reportNote(verifyLedgerQuickly(folder))
    reportNote(missingSessionsNote(folder, mine[0]?.side.manifest))
    for (const record of readRecords(folder)) {
      records++
      const of = mine.find(({ side }) => side.method === record.method && side.set === record.agentSet)
      if (withinRun) comparisonData.add(record)
      if (!of) continue
      if (!withinRun) requireDistinct(record, of.side)
      // Rows of two runs get the name of their run as a prefix.
      const { agentSet: _, ...bare } = record
      const labelled = withinRun ? record : { ...bare, method: labels[of.index] as string }
      if (!withinRun) comparisonData.add(labelled)
      alone.add(labelled)
      summary.add(labelled)
      flips?.add(labelled)
    }
    recorded.set(folder, records)
  }
  return { comparisonData, alone, summary, recorded }
}

/** Returns the facts of both sides; `recorded` has the number of records of each folder, `summary` the rows of both alone. */
export function factsOf(
  sides: Sides,
  recorded: ReadonlyMap<string, number>,
  summary: Summary,
): ComparisonFacts {
  const withinRun = isOneRun(sides)
  const [a, b] = sides
  const runs = (withinRun ? [a] : [a, b]).map(({ folder, manifest }) =>
    runFacts(folder, manifest, recorded.get(folder) ?? 0),
  )
  const rows = labelsOfRuns(sides).map((label) => summary.methods.find(({ method }) => method === label))
  return {
    runs,
    stated: !withinRun ? 'afterwards' : a.manifest.comparison ? 'plan' : 'default',
    looks: (withinRun ? [a] : [a, b]).flatMap(({ folder }) =>
      readInterimLooks(folder).map(({ records }) => records),
    ),
    differing: withinRun ? [] : [...differingSettings(a, b), ...differingModels(sides, runs, rows)],
    served: servedWarnings(summary),
    wordings: wordingsTried([a.manifest, b.manifest]),
    command: `bench compare ${sides.map(({ folder, label }) => shellWord(`${folder}:${label}`)).join(' ')}`,
  }
}

/** Returns why tests for a fixed number of tasks are void in a run. */
export const refusalOf = (facts: RunFacts): Refusal | null =>
  testRefusal(
    facts,
    readInterimLooks(facts.run).map(({ records }) => records),
  )

/** Returns the methods of both sides. */
export const methodsOf = (sides: readonly ComparedSide[]) => [...new Set(sides.map(({ method }) => method))]

/** Returns the sets of agents of both sides. */
export const setsOf = (sides: readonly ComparedSide[]) => [
  ...new Set(sides.flatMap(({ set }) => (set === undefined ? [] : [set]))),
]
