import { type CompareOptions, compareMethods } from '../analysis/compare/compare.ts'
import type { Comparison } from '../analysis/compare/comparison.ts'
import { resumeCommand } from '../loop/record/in-blocks.ts'
import { createComparisonReport } from '../reports/comparison/comparison-report.ts'
import type { ComparisonFacts } from '../reports/comparison/run-notes.ts'
import { formats } from '../reports/registry.ts'
import { createReport } from '../reports/report.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { shellWord } from '../text/shell-word.ts'
import { collectFlips } from './compare/compare-flips.ts'
import {
  agentsAsMethodOfBoth,
  assignmentsOfBoth,
  clusterNames,
  compareOptions,
  comparisonFormat,
  propertiesOf,
  toolsOfBoth,
} from './compare/compare-options.ts'
import { describeExcludedBounds, resolveSides } from './compare/compared-side.ts'
import { askToLook, reportInterimLook } from './compare/interim-look.ts'
import {
  factsOf,
  isOneRun,
  labelSides,
  methodsOf,
  readSides,
  refusalOf,
  type Sides,
  setsOf,
} from './compare/read-sides.ts'
import { type ConditionOptions, judgeConditions, readPairConditions } from './gates/pair-conditions.ts'
import { gateText, writeGates } from './gates/report-gates.ts'
import { say } from './terminal/say.ts'
import { terminalWidth } from './terminal/terminal-width.ts'
import { collectProblems } from './values/parse-values.ts'

/**
 * `bench compare [RUN:]METHOD [RUN:]METHOD`: compares two methods of one run or of two runs, to stdout. Within a run the
 * pair belongs to the family that the plan fixed; across runs it was chosen afterwards, and the report says so.
 */
export default async function compare(
  first: string,
  second: string,
  options: CompareCommandOptions,
): Promise<number> {
  const { format, limits, sides } = await readArguments(first, second, options)
  const [a, b] = sides
  const command = `bench compare ${first} ${second}`
  const withinRun = isOneRun(sides)
  const labels = labelSides(sides, command)
  const flips = options.flips ? collectFlips(sides, labels) : undefined
  const { comparisonData, alone, summary, recorded } = readSides(sides, labels, flips)
  const summed = summary.result()
  const facts = factsOf(sides, recorded, summed)
  const planned = optionsOf(sides, facts, labels, withinRun)
  const { frontiers } = compareMethods(alone, planned)
  const comparison = selectPairs(compareMethods(comparisonData, planned), sides, labels)
  const report = createComparisonReport({ ...comparison, frontiers }, facts)
  if (!report) {
    const bounds = describeExcludedBounds(summed.methods)
    throw new UserError({
      where: command,
      what: bounds ?? 'one of the two has no records yet',
      fix: bounds
        ? `Compare methods with other agents. bench report ${shellWord(a.folder)} shows the bounds.`
        : `Resume the run first: ${resumeCommand(a.folder)}`,
    })
  }
  const looked = [...new Map(sides.map((side) => [side.folder, side])).values()]
  for (const { folder, manifest } of looked)
    await askToLook(folder, manifest, { command: 'compare', peek: options.peek === true })
  for (const side of looked)
    reportInterimLook(side.folder, side.manifest, recorded.get(side.folder) ?? 0, 'compare')
  const found = { method: b, against: a, labels: labels.toReversed(), data: alone, facts }
  const gate = judgeConditions(limits, found, options)
  const shown = createReport(summed, {
    run: a.folder,
    comparison: report,
    gate,
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
  if (!gate) return 0
  say(gateText(gate))
  return writeGates(gate, options)
}

/** Reads what was typed. Throws `UserError` with the mistakes of all of it. */
async function readArguments(first: string, second: string, options: CompareCommandOptions) {
  const problems: Problem[] = []
  const format = await collectProblems(problems, () => comparisonFormat(options.format), 'text' as const)
  const limits = await collectProblems(problems, () => readPairConditions(options), [])
  const sides = await collectProblems(problems, () => resolveSides(first, second), undefined)
  if (!sides || problems.length > 0) throw new UserError(problems)
  return { format, limits, sides }
}

interface CompareCommandOptions extends ConditionOptions {
  format: string
  notes?: boolean
  flips?: boolean
  peek?: boolean
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

function optionsOf(
  [a, b]: Sides,
  { runs, wordings = 1 }: ComparisonFacts,
  labels: readonly string[],
  withinRun: boolean,
): CompareOptions {
  const [first, second = first] = runs.map((facts) => refusalOf(facts))
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
      // The pair may be the best of several wordings (Bonferroni). The level is shown, so it has few digits.
      confidence: 1 - Math.floor(500 / wordings) / 10_000,
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
