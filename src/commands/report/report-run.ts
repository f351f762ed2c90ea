import { createComparisonData } from '../../analysis/compare/rows.ts'
import { toolsText } from '../../analysis/compare/tools.ts'
import { createSummary } from '../../analysis/summarize.ts'
import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { readAmendments } from '../../loop/record/amendments.ts'
import { createDataDigest, readRecords } from '../../loop/record/records.ts'
import { countPaidTwice } from '../../loop/record/run-bill.ts'
import { readSessions } from '../../loop/record/sessions.ts'
import { createReport, type Report } from '../../reports/report.ts'
import { agentsText, legendTexts, relatedTexts, shortName } from '../../reports/words/agents-text.ts'
import { limitsText } from '../../reports/words/limit-text.ts'
import { machinesText, originTexts, verdictsText } from '../../reports/words/origin-text.ts'
import { agentSetsOf, ofRole, rowName, rowNames } from '../../schema/agent/agent-set.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { collectFlips } from '../compare/compare-flips.ts'
import { clusterNames } from '../compare/compare-options.ts'
import { toolsOf } from '../compare/tools-of.ts'
import { earlierOf, effectsOf, machinesOf, withPlan } from './run-sections.ts'
import { createSectionSums } from './section-sums.ts'

/** Creates the report of a run from its records, read one at a time; with `flips` also of the tasks that changed sides. */
export async function reportRun(
  folder: string,
  manifest: RunManifest,
  baseline?: string,
  { flips: wantsFlips = false }: { flips?: boolean } = {},
): Promise<Report> {
  const labels = manifest.methods.map(({ label }) => label)
  const summary = createSummary({
    baseline: baseline ?? manifest.baseline,
    methods: labels,
    agentSets: manifest.agentSets?.map(({ label }) => label) ?? [],
    planned: plannedTrials(manifest),
    clusters: clusterNames(manifest),
  })
  const comparisonData = createComparisonData()
  const further = createSectionSums(manifest)
  const flips = wantsFlips ? collectFlips([{ folder, manifest }]) : undefined
  const digest = createDataDigest()
  for (const record of readRecords(folder, digest))
    for (const sums of [summary, comparisonData, further, ...(flips ? [flips] : [])]) sums.add(record)
  const known = kindOf(
    manifest,
    withPlan(folder, plannedTrials(manifest), further.withActing(summary.result())),
  )
  const shown = withTools(manifest, withAgents(manifest, withCapture(manifest, known)))
  // Agents of dev mode are free.
  const paidTwice = manifest.mode === 'live' ? countPaidTwice(folder) : 0
  const result = { ...shown, ...(paidTwice > 0 && { paidTwice }) }
  const seen = { comparisonData, recorded: result.records, baseline, data: digest.result() }
  const comparison =
    rowNames(manifest).length < 2 || manifest.request
      ? null
      : (await import('../compare/compare-run.ts')).compareRun(folder, manifest, seen)
  // An interval for a fixed number of tasks is wrong if somebody looked at the run before its end.
  const looked = comparison !== null && ['looked', 'stop-rule'].includes(comparison.comparison.silence ?? '')
  const shownLimits = looked ? withoutLimits(result) : result
  const sections = [
    ...(await machinesOf(folder, manifest, result)),
    ...(await effectsOf(shownLimits)),
    ...(await further.sections(result)),
  ]
  return createReport(shownLimits, {
    run: folder,
    comparison,
    sections,
    flips: flips?.section(comparison?.comparison ?? withoutPairs(result)),
    prices: manifest.prices,
    limits: limitsText(manifest),
    amendments: readAmendments(folder),
    skipped: manifest.skipInvalid,
    origin: originTexts(manifest),
    earlier: await earlierOf(folder, manifest, result),
    verdicts: manifest.verdicts === undefined ? null : verdictsText(readSessions(folder)),
    machines: manifest.mode === 'live' ? machinesText(readSessions(folder)) : null,
  })
}

/** Returns the trials of each row, or by row where the rows have plans of their own, as those of other harnesses. */
function plannedTrials(manifest: RunManifest): number | Readonly<Record<string, number>> {
  if (!manifest.imported) return manifest.trials / rowNames(manifest).length
  return Object.fromEntries(
    manifest.imported.rows.map(({ row, passed, failed, notGraded, error, notRun }) => [
      row,
      passed + failed + notGraded + error + notRun,
    ]),
  )
}

function withoutPairs({ methods, simulated, recorded, imported }: Summary) {
  return {
    methods: methods.map((row) => ({ ...row, label: rowName(row.method, row.set) })),
    pairs: [],
    simulated,
    ...{ recorded, imported },
  }
}

/** Marks the summary of a run without records as simulated or not, by its manifest. */
function kindOf({ simulated, profile, recorded, imported }: RunManifest, summary: Summary): Summary {
  if (summary.records > 0) return summary
  return {
    ...summary,
    simulated,
    ...(recorded && { recorded: true as const }),
    ...(imported && { imported: true as const }),
    profiles: simulated && profile ? [profile.id] : [],
  }
}

/** Adds what tables show of the agents of each row. */
function withAgents(manifest: RunManifest, summary: Summary): Summary {
  return { ...summary, methods: summary.methods.map((row) => ({ ...row, ...shownAgents(manifest, row) })) }
}

/** Adds the tools of each row, if some row had tools. */
function withTools(manifest: RunManifest, summary: Summary): Summary {
  const tools = toolsOf(manifest)
  if (Object.values(tools).every(({ names }) => names.length === 0)) return summary
  const methods = summary.methods.map((row) => {
    const own = tools[rowName(row.method, row.set ?? undefined)]
    if (!own) return row
    const { works, programs } = own
    const called = { chances: row.trials.run, acted: row.toolUse?.trials ?? 0 }
    // What a program does with its own tools is not in the record.
    const mechanisms = works.length > 0 && programs.length === 0 && { ...row.mechanisms, tools: called }
    return { ...row, tools: toolsText(own), ...(mechanisms && { mechanisms }) }
  })
  return { ...summary, methods }
}

/** Leaves out what the run's `capture` says. */
function withCapture({ capture }: RunManifest, summary: Summary): Summary {
  if (capture?.previews !== false) return summary
  const methods = summary.methods.map((row) => ({
    ...row,
    machine: row.machine && {
      ...row.machine,
      delivered: row.machine.delivered.map((one) => ({ ...one, preview: null })),
    },
  }))
  return { ...summary, methods }
}

function withoutLimits(summary: Summary): Summary {
  const none = { lower: null, upper: null }
  return {
    ...summary,
    methods: summary.methods.map((row) => ({
      ...row,
      success: { ...row.success, ...none, interval: null },
      costPerSuccess: { ...row.costPerSuccess, ...none },
      ...(row.acting && {
        acting: row.acting.map(({ success, change, ...trials }) => ({
          ...{ ...trials, success: { ...success, ...none }, change: change && { ...change, ...none } },
        })),
      }),
    })),
  }
}

/** Returns the agents of the roles that a row's method has, in short, and what stands behind their names. */
export function shownAgents(
  manifest: RunManifest,
  row: Pick<MethodSummary, 'method' | 'set' | 'agents'>,
): Pick<MethodSummary, 'roleAgents' | 'agentLegend' | 'relatedAgents'> {
  const method = manifest.methods.find(({ label }) => label === row.method)
  const set = agentSetsOf(manifest).find(({ label }) => (label ?? null) === row.set)
  if (!method || !set) return {}
  const byRole = { ...set.agents, ...method.agents }
  const roles = method.roles?.length ? method.roles : undefined
  const roleAgents = agentsText(byRole, roles, shortName)
  const asked = roles ? roles.flatMap((role) => ofRole(byRole, role) ?? []) : Object.values(byRole)
  const agentLegend = legendTexts(asked, manifest.agentSettings)
  const related = method.mixes ? relatedTexts(byRole, roles ?? [], manifest.agentSettings) : []
  return {
    ...(roleAgents !== row.agents && { roleAgents }),
    ...(agentLegend.length > 0 && { agentLegend }),
    ...(related.length > 0 && { relatedAgents: related }),
  }
}
