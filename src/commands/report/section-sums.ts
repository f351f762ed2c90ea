import { createActing } from '../../analysis/acting.ts'
import { createBracket } from '../../analysis/bracket.ts'
import { createJudges } from '../../analysis/calibration/judges.ts'
import { createCascades } from '../../analysis/cascades.ts'
import { createErrorFlow } from '../../analysis/coordination/error-flow.ts'
import type { KindFacts } from '../../analysis/evidence.ts'
import { createRoutes } from '../../analysis/routes.ts'
import type { Summary } from '../../analysis/summary.ts'
import { createWordings, type Wordings } from '../../analysis/wordings.ts'
import type { Section } from '../../reports/tables/table.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { clusterNames } from '../compare/compare-options.ts'
import { mechanismsOf } from '../methods/built-in-mechanisms.ts'

/** Sums of the records of a run for the sections that only some runs have: none without a bracket, cascades, routers, candidates or judges. */
export function createSectionSums(manifest: RunManifest): {
  add(record: TrialRecord): void
  /** Adds to each row what came of the trials in which its mechanisms acted. */
  withActing(summary: Summary): Summary
  sections(kind: KindFacts): Promise<Section[]>
} {
  const { methods, bracket: brackets = [], gradeCandidates, agentSets = [] } = manifest
  const labels = methods.map(({ label }) => label)
  const acting = createActing(mechanismsOf(methods), clusterNames(manifest))
  const bracket = createBracket(brackets, clusterNames(manifest))
  const cascades = createCascades(labels)
  const routers = methods.filter(({ strategy }) => strategy === 'router')
  const by = new Map(
    routers.map(({ label, options }) => [label, options.table ? 'table' : 'decider'] as const),
  )
  const routes = createRoutes(labels, by)
  const sets = agentSets.map(({ label }) => label)
  const wordings = agentSets.some(({ instructions }) => instructions)
    ? createWordings(baselineLast(labels, manifest.baseline), sets, clusterNames(manifest))
    : undefined
  const errorFlow = createErrorFlow(labels)
  const judges = createJudges()
  return {
    add(record) {
      for (const sums of [acting, bracket, cascades, routes, judges, wordings]) sums?.add(record)
      // Cascades have candidates in every run.
      if (gradeCandidates) errorFlow.add(record)
    },
    withActing(summary) {
      const rows = acting.result()
      const methods = summary.methods.map((row) => {
        const { method, agents, set } = row
        const own = rows.find((one) => one.method === method && one.agents === agents && one.set === set)
        return own?.acting ? { ...row, acting: own.acting } : row
      })
      return { ...summary, methods }
    },
    async sections(kind) {
      const found = judges.result()
      const apart = wordings?.result()
      return [
        ...(await ifAny(bracket.result(), async (rows) =>
          (await import('../../reports/mixes/bracket.ts')).bracketSection(rows, kind),
        )),
        ...(await ifAny(cascades.result(), async (rows) =>
          (await import('../../reports/mixes/cascades.ts')).cascadesSection(rows, kind),
        )),
        ...(await ifAny(routes.result(), async (rows) =>
          (await import('../../reports/mixes/routes.ts')).routesSection(rows, kind),
        )),
        ...(await ifAny(apart ? [apart] : [], async ([one]) =>
          (await import('../../reports/wordings/section.ts')).wordingsSection(one as Wordings, kind),
        )),
        ...(await ifAny(errorFlow.result(), async (rows) =>
          (await import('../../reports/coordination/sections.ts')).errorFlowSection(rows, kind),
        )),
        ...(await ifAny(found.rows, async () =>
          (await import('../../reports/judges/section.ts')).judgesSection(found, kind),
        )),
      ]
    },
  }
}

/** A pair of methods is the other than the baseline. */
const baselineLast = (labels: readonly string[], baseline: string | null) =>
  labels.toSorted((one, other) => Number(one === baseline) - Number(other === baseline))

async function ifAny<Row>(
  rows: readonly Row[],
  sectionOf: (rows: readonly Row[]) => Promise<Section>,
): Promise<Section[]> {
  return rows.length === 0 ? [] : [await sectionOf(rows)]
}
