import { join } from 'node:path'
import { createCoordination } from '../../analysis/coordination/coordination.ts'
import { measureCoordination } from '../../analysis/coordination/trial-coordination.ts'
import type { EarlierRow, Summary } from '../../analysis/summary.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { isInBlocks } from '../../loop/record/in-blocks.ts'
import { readRecords } from '../../loop/record/records.ts'
import { mechanismsSection } from '../../reports/mechanisms/section.ts'
import type { Section } from '../../reports/tables/table.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { factsThatMatter, recall } from '../../workflows/facts.ts'
import { clusterNames } from '../compare/compare-options.ts'

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

/** Creates the sections on what mechanisms did, and on what compact reports of tools saved; none without either. */
export async function effectsOf(summary: Summary): Promise<Section[]> {
  const mechanisms = [mechanismsSection(summary) ?? []].flat()
  if (summary.methods.every(({ savings }) => savings === undefined)) return mechanisms
  const { savingsSection } = await import('../../reports/savings/section.ts')
  return [savingsSection(summary) ?? [], mechanisms].flat()
}

/** Compares the rows of a whole run with the earlier runs beside it. */
export async function earlierOf(
  folder: string,
  manifest: RunManifest,
  { records }: Summary,
): Promise<EarlierRow[]> {
  if (records < manifest.trials || manifest.shard || manifest.request) return []
  const { compareWithEarlier } = await import('../../history/earlier-runs.ts')
  return compareWithEarlier(folder, manifest, clusterNames(manifest))
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

/** Adds how many trials the plan has of the rows without a record, and whether blocks of workers may hold them. */
export function withPlan(
  folder: string,
  planned: number | Readonly<Record<string, number>>,
  summary: Summary,
): Summary {
  const absentTrials = typeof planned === 'number' ? planned * summary.absent.length : 0
  return {
    ...summary,
    ...(absentTrials > 0 && { absentTrials }),
    ...(isInBlocks(folder) && { inBlocks: true as const }),
  }
}
