import { join } from 'node:path'
import type { BracketBuilder } from '../../analysis/bracket.ts'
import type { JudgesBuilder } from '../../analysis/calibration/judges.ts'
import type { CascadesBuilder } from '../../analysis/cascades.ts'
import { createCoordination } from '../../analysis/coordination/coordination.ts'
import type { ErrorFlowBuilder } from '../../analysis/coordination/error-flow.ts'
import { measureCoordination } from '../../analysis/coordination/trial-coordination.ts'
import type { Summary } from '../../analysis/summary.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { readRecords } from '../../loop/record/records.ts'
import type { Section } from '../../reports/tables/table.ts'
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

/** Creates the section on the flow of right and wrong candidates; none without candidates. */
export async function errorFlowOf(errorFlow: ErrorFlowBuilder, simulated: boolean): Promise<Section[]> {
  const rows = errorFlow.result()
  if (rows.length === 0) return []
  const { errorFlowSection } = await import('../../reports/coordination/sections.ts')
  return [errorFlowSection(rows, simulated)]
}

/** Creates the section that places methods between their agents; none without `--bracket`. */
export async function bracketOf(bracket: BracketBuilder, simulated: boolean): Promise<Section[]> {
  const rows = bracket.result()
  if (rows.length === 0) return []
  const { bracketSection } = await import('../../reports/mixes/bracket.ts')
  return [bracketSection(rows, simulated)]
}

/** Creates the section on cascades; none without one. */
export async function cascadesOf(cascades: CascadesBuilder, simulated: boolean): Promise<Section[]> {
  const rows = cascades.result()
  if (rows.length === 0) return []
  const { cascadesSection } = await import('../../reports/mixes/cascades.ts')
  return [cascadesSection(rows, simulated)]
}

/** Creates the section on the judges of a run; none without judges. */
export async function judgesOf(judges: JudgesBuilder, simulated: boolean): Promise<Section[]> {
  const found = judges.result()
  if (found.rows.length === 0) return []
  const { judgesSection } = await import('../../reports/judges/section.ts')
  return [judgesSection(found, simulated)]
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
    return coordinationSection(coordination.result(), manifest.simulated)
  } finally {
    index.close()
  }
}

function recallOf(text: string, summary: string): number | null {
  const facts = factsThatMatter(text)
  return facts.length === 0 ? null : recall(facts, summary)
}
