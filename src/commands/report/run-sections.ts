import { join } from 'node:path'
import { createBracket } from '../../analysis/bracket.ts'
import { createJudges } from '../../analysis/calibration/judges.ts'
import { createCascades } from '../../analysis/cascades.ts'
import { createCoordination } from '../../analysis/coordination/coordination.ts'
import { createErrorFlow } from '../../analysis/coordination/error-flow.ts'
import { measureCoordination } from '../../analysis/coordination/trial-coordination.ts'
import type { KindFacts } from '../../analysis/evidence.ts'
import type { Summary } from '../../analysis/summary.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { readRecords } from '../../loop/record/records.ts'
import type { Section } from '../../reports/tables/table.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { factsThatMatter, recall } from '../../workflows/facts.ts'

// The sections are loaded on demand: most runs have none of them.

/** Creates the section on workflows of states; none if no method ran one. */
export async function machinesOf(
  folder: string,
  manifest: RunManifest,
  summary: Summary,
): Promise<Section[]> {
  if (summary.methods.every(({ machine }) => machine === null)) return []
  const { readMachineContexts } = await import('./machine-contexts.ts')
  const { machineSection } = await import('../../reports/workflow/section.ts')
  return [machineSection(summary, await readMachineContexts(folder, manifest)) ?? []].flat()
}

/** Creates the section on what compact reports of tools saved; none if no method ran a tool in a stage. */
export async function savingsOf(summary: Summary): Promise<Section[]> {
  if (summary.methods.every(({ savings }) => savings === undefined)) return []
  const { savingsSection } = await import('../../reports/savings/section.ts')
  return [savingsSection(summary) ?? []].flat()
}

/** Sums of the records of a run for the sections that only some runs have: none without a bracket, cascades, candidates or judges. */
export function createSectionSums({ methods, bracket: brackets = [], gradeCandidates }: RunManifest): {
  add(record: TrialRecord): void
  sections(kind: KindFacts): Promise<Section[]>
} {
  const labels = methods.map(({ label }) => label)
  const bracket = createBracket(brackets)
  const cascades = createCascades(labels)
  const errorFlow = createErrorFlow(labels)
  const judges = createJudges()
  return {
    add(record) {
      for (const sums of [bracket, cascades, judges]) sums.add(record)
      // Cascades have candidates in every run.
      if (gradeCandidates) errorFlow.add(record)
    },
    async sections(kind) {
      const found = judges.result()
      return [
        ...(await ifAny(bracket.result(), async (rows) =>
          (await import('../../reports/mixes/bracket.ts')).bracketSection(rows, kind),
        )),
        ...(await ifAny(cascades.result(), async (rows) =>
          (await import('../../reports/mixes/cascades.ts')).cascadesSection(rows, kind),
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

async function ifAny<Row>(
  rows: readonly Row[],
  sectionOf: (rows: readonly Row[]) => Promise<Section>,
): Promise<Section[]> {
  return rows.length === 0 ? [] : [await sectionOf(rows)]
}

/** Measures how a run's agents worked together, from its ledger, one trial at a time. */
export async function coordinationOfRun(
  folder: string,
  manifest: RunManifest,
  baseline: string | null = manifest.baseline,
): Promise<Section> {
  const { coordinationSection } = await import('../../reports/coordination/sections.ts')
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), () => true)
  try {
    const coordination = createCoordination({ baseline, methods: manifest.methods.map(({ label }) => label) })
    for (const record of readRecords(folder)) {
      const { steps } = index.readTrial(record.trial)
      coordination.add(record, measureCoordination(steps.values(), recallOf))
    }
    return coordinationSection(coordination.result(), manifest)
  } finally {
    index.close()
  }
}

function recallOf(text: string, summary: string): number | null {
  const facts = factsThatMatter(text)
  return facts.length === 0 ? null : recall(facts, summary)
}
