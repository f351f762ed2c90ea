import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Collected } from '../../imports/collect-trials.ts'
import { makeRecord } from '../../imports/make-record.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { addTimesum } from '../../loop/journal/checksum.ts'
import { journalFiles } from '../../loop/journal/journal.ts'
import { createRunFolder } from '../../loop/record/run-folder.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import { defaultComparison } from '../../schema/run/comparison-plan.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { digest } from '../../text/canonical-json.ts'
import { nameRun, provenance } from '../session/new-manifest.ts'

/** A longer answer is a file of its own. */
const longestAnswer = 400

/** Writes the folder of an imported run: run.json and records.jsonl, without a ledger. Throws like `createRunFolder`. */
export function writeImportedRun(
  out: string,
  collected: Collected,
  { facts, baseline }: { facts: ImportedFacts; baseline: string | null },
): void {
  const manifest = { ...manifestOf(out, collected, facts), ...planOf(baseline) }
  createRunFolder(out, manifest, (folder) => {
    const blobs = openBlobs(join(folder, 'blobs'))
    const pack = (text: string) => (text.length > longestAnswer ? `blob:${blobs.put(text)}` : text)
    const lines = collected.trials.flatMap((placed) => {
      const record = makeRecord(placed, facts.format, pack)
      return record ? [`${addTimesum(JSON.stringify(record), '}}')}\n`] : []
    })
    writeFileSync(join(folder, journalFiles.records), lines.join(''))
    // It has no calls.
    writeFileSync(join(folder, journalFiles.steps), '')
  })
}

/** With a baseline, the tests are those against it. */
const planOf = (baseline: string | null): Pick<RunManifest, 'baseline' | 'comparison'> => ({
  baseline,
  comparison: { ...defaultComparison, ...(baseline !== null && { family: 'baseline' }) },
})

function manifestOf(
  out: string,
  { tasks, rows, trials }: Collected,
  imported: ImportedFacts,
): Omit<RunManifest, 'baseline' | 'comparison'> {
  const { id, createdAt } = nameRun(out)
  return {
    schemaVersion,
    ...{ id, createdAt: createdAt.toISOString() },
    ...provenance({ here: null, harness: null }),
    ...{ mode: 'live', simulated: false, imported, cwd: process.cwd(), seed: 1 },
    epochs: trials.reduce((most, { epoch }) => Math.max(most, epoch), 1),
    taskSelectors: [],
    tasks,
    methods: rows.map(({ label, agent }) => ({
      ...{ label, strategy: 'imported', options: {}, digest: digest(['imported', label]) },
      agents: { '*': agent },
    })),
    ...{ agents: {}, profile: null, limits: {}, preamble: '' },
    trials: trials.length,
  }
}
