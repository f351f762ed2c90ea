import { type CompareOptions, compareMethods } from '../analysis/compare/compare.ts'
import type { Comparison } from '../analysis/compare/comparison.ts'
import { createComparisonData } from '../analysis/compare/rows.ts'
import { createSummary } from '../analysis/summarize.ts'
import { readInterimLooks } from '../loop/record/interim-looks.ts'
import { readRecords } from '../loop/record/records.ts'
import { missingSessionsNote, verifyLedgerQuickly } from '../loop/record/verify-ledger.ts'
import { createComparisonReport } from '../reports/comparison/comparison-report.ts'
import type { ComparisonFacts } from '../reports/comparison/run-notes.ts'
import { formats } from '../reports/registry.ts'
import { createReport } from '../reports/report.ts'
import { UserError } from '../text/errors.ts'
import { shellWord } from '../text/shell-word.ts'
import { collectFlips, type FlipsCollector } from './compare/compare-flips.ts'
import {
  agentsAsMethodOfBoth,
  assignmentsOfBoth,
  clusterNames,
  compareOptions,
  comparisonFormat,
  propertiesOf,
  testRefusal,
  toolsOfBoth,
} from './compare/compare-options.ts'
import {
  type ComparedSide,
  describeExcludedBounds,
  differingSettings,
  requireComparableRuns,
  requireDistinctTrials,
  requireSinglePair,
  resolveSides,
} from './compare/compared-side.ts'
import { askToLook, reportInterimLook } from './compare/interim-look.ts'
import { runFacts } from './compare/run-facts.ts'
import { reportNote } from './terminal/report-error.ts'
import { terminalWidth } from './terminal/terminal-width.ts'

/**
 * `bench compare [RUN:]METHOD [RUN:]METHOD`: compares two methods of one run or of two runs, to stdout. Within a run the
 * pair belongs to the family that the plan fixed; across runs it was chosen afterwards, and the report says so.
 */
export default async function compare(
  first: string,
  second: string,
  options: { format: string; notes?: boolean; flips?: boolean; peek?: boolean },
): Promise<number> {
  const format = comparisonFormat(options.format)
  const sides: Sides = resolveSides(first, second)
  const [a, b] = sides
  const command = `bench compare ${first} ${second}`
  const withinRun = a.folder === b.folder
  if (withinRun) requireSinglePair(a, b, command)
  else requireComparableRuns(a, b)
  const labels = withinRun ? [a.label, b.label] : sides.map((side) => `${side.name}:${side.label}`)
  const flips = options.flips ? collectFlips(sides, labels) : undefined
  const { comparisonData, alone, summary, recorded } = readSides(sides, labels, { withinRun, flips })
  const facts = factsOf(sides, recorded, withinRun)
  const planned = optionsOf(sides, facts, labels, withinRun)
  const { frontiers } = compareMethods(alone, planned)
  const comparison = selectPairs(compareMethods(comparisonData, planned), sides, labels)
  const report = createComparisonReport({ ...comparison, frontiers }, facts)
  const summed = summary.result()
  if (!report) {
    const bounds = describeExcludedBounds(summed.methods)
    throw new UserError({
      where: command,
      what: bounds ?? 'one of the two has no records yet',
      fix: bounds
        ? `Compare methods with other agents. bench report ${shellWord(a.folder)} shows the bounds.`
        : `Resume the run first: bench run --resume ${shellWord(a.folder)}`,
    })
  }
  const looked = [...new Map(sides.map((side) => [side.folder, side])).values()]
  for (const { folder, manifest } of looked)
    await askToLook(folder, manifest, { command: 'compare', peek: options.peek === true })
  for (const side of looked)
    reportInterimLook(side.folder, side.manifest, recorded.get(side.folder) ?? 0, 'compare')
  const shown = createReport(summed, {
    run: a.folder,
    comparison: report,
    flips: flips?.section(comparison, facts.command),
    // Two runs may use two price tables; the notes name both.
    prices: withinRun ? a.manifest.prices : null,
    skipped: looked.flatMap(({ manifest }) => manifest.skipInvalid ?? []),
  })
  const text = formats[format].render(shown, {
    part: options.flips ? 'flips' : 'comparison',
    definitions: options.notes === true,
    width: terminalWidth(),
  })
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  return 0
}

type Sides = readonly [ComparedSide, ComparedSide]

/** Reads the records of both sides. Within one run it reads all methods, since the tests of a pair depend on its family. */
function readSides(
  sides: Sides,
  labels: readonly string[],
  { withinRun, flips }: { withinRun: boolean; flips: FlipsCollector | undefined },
) {
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
    reportNote(missingSessionsNote(folder))
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

/** Returns the parts of a family's comparison that are about both sides. */
function selectPairs(comparison: Comparison, [a, b]: Sides, labels: readonly string[]): Comparison {
  const wanted = ({ label }: { label: string }) =>
    labels.some((name) => label === name || label.startsWith(`${name} (`))
  const pairs = comparison.pairs.filter((pair) => wanted({ label: pair.a }) && wanted({ label: pair.b }))
  const isOfBoth = (pair: { a: string; b: string }) =>
    a.method !== b.method && [a, b].every(({ method }) => [pair.a, pair.b].includes(method))
  const isShown = (row: { a: string; b: string }) =>
    pairs.some((pair) => pair.a === row.a && pair.b === row.b)
  const { byProperty: allProperties = [], ...others } = comparison
  const byProperty = allProperties.filter(isShown)
  return {
    ...others,
    pairs,
    methods: comparison.methods.filter(wanted),
    interactions: comparison.interactions.filter(isOfBoth),
    suites: comparison.suites.filter(isShown),
    ...(byProperty.length > 0 && { byProperty }),
  }
}

function factsOf(sides: Sides, recorded: ReadonlyMap<string, number>, withinRun: boolean): ComparisonFacts {
  const [a, b] = sides
  const runs = (withinRun ? [a] : [a, b]).map(({ folder, manifest }) =>
    runFacts(folder, manifest, recorded.get(folder) ?? 0),
  )
  return {
    runs,
    stated: !withinRun ? 'afterwards' : a.manifest.comparison ? 'plan' : 'default',
    looks: (withinRun ? [a] : [a, b]).flatMap(({ folder }) =>
      readInterimLooks(folder).map(({ records }) => records),
    ),
    differing: withinRun ? [] : differingSettings(a.manifest, b.manifest),
    command: `bench compare ${sides.map(({ folder, label }) => shellWord(`${folder}:${label}`)).join(' ')}`,
  }
}

function optionsOf(
  [a, b]: Sides,
  { runs }: ComparisonFacts,
  labels: readonly string[],
  withinRun: boolean,
): CompareOptions {
  const [first, second = first] = runs.map((facts, index) =>
    testRefusal(
      facts,
      readInterimLooks((index === 0 ? a : b).folder).map(({ records }) => records),
    ),
  )
  if (!withinRun) {
    const hasStopRule = a.manifest.comparison?.stop || b.manifest.comparison?.stop
    return {
      methods: labels,
      assignments: assignmentsOfBoth(a, b, labels),
      agentsAsMethod: agentsAsMethodOfBoth(a, b, labels),
      tools: toolsOfBoth(a, b, labels),
      properties: propertiesOf(a.manifest),
      clusters: clusterNames(a.manifest),
      // A run with a stop rule has no fixed number of tasks.
      voided: hasStopRule ? 'looked' : (first ?? second ?? null),
      seed: a.manifest.seed,
      outcome: a.manifest.comparison?.outcome ?? 'success',
    }
  }
  const planned = compareOptions(a.manifest, first ?? null)
  const outside =
    planned.family === 'baseline' &&
    (a.method === b.method || (a.method !== planned.baseline && b.method !== planned.baseline))
  if (planned.family === 'baseline' && !outside) return planned
  // The side that is named second is the baseline.
  const reordered: CompareOptions = {
    ...planned,
    baseline: b.method,
    methods: methodsOf([a, b]),
    agentSets: setsOf([a, b]),
  }
  if (!outside) return reordered
  // The fixed family has no test of this pair, so it is looked up among all pairs.
  const { stop: _, ...withoutStop } = reordered
  return { ...withoutStop, family: 'all-pairs', voided: 'not-in-family' }
}

const methodsOf = (sides: readonly ComparedSide[]) => [...new Set(sides.map(({ method }) => method))]

const setsOf = (sides: readonly ComparedSide[]) => [
  ...new Set(sides.flatMap(({ set }) => (set === undefined ? [] : [set]))),
]
