import { join } from 'node:path'
import { createCoordination } from '../analysis/coordination/coordination.ts'
import { coordinationOf } from '../analysis/coordination/trial-coordination.ts'
import { openBlobs } from '../loop/blobs.ts'
import { indexJournal } from '../loop/journal-index.ts'
import { readRecords } from '../loop/records.ts'
import { factsThatMatter, recall } from '../orchestration/facts.ts'
import { coordinationSection } from '../reports/coordination/sections.ts'
import type { Section } from '../reports/section.ts'
import type { RunManifest } from '../schema/run.ts'

/** Measures how a run's agents worked together, from its ledger, one trial at a time. */
export function coordinationOfRun(
  folder: string,
  manifest: RunManifest,
  baseline: string | null = manifest.baseline,
): Section {
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), () => true)
  try {
    const coordination = createCoordination({ baseline, methods: manifest.methods.map(({ label }) => label) })
    for (const record of readRecords(folder)) {
      const { steps } = index.recorded(record.trial)
      coordination.add(record, coordinationOf(steps.values(), recalled))
    }
    return coordinationSection(coordination.result(), manifest.simulated)
  } finally {
    index.close()
  }
}

function recalled(text: string, summary: string): number | null {
  const facts = factsThatMatter(text)
  return facts.length === 0 ? null : recall(facts, summary)
}
