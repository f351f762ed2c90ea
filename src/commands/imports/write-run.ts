import { priceTable } from '../../agents/price-book.ts'
import { makeRecord } from '../../imports/make-record.ts'
import { checksumFields } from '../../loop/journal/checksum.ts'
import { openJournal, packText } from '../../loop/journal/journal.ts'
import { createRunFolder } from '../../loop/record/run-folder.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import { defaultComparison } from '../../schema/run/comparison-plan.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { digest } from '../../text/canonical-json.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { nameRun, provenance } from '../session/new-manifest.ts'
import { type LabelledSource, type ReadResults, untestedVersions } from './read-sources.ts'
import { writeStories } from './write-stories.ts'

interface ToWrite extends ReadResults {
  sources: readonly LabelledSource[]
  /** The user's prices, if costs were computed. */
  price: { file: PriceFile | undefined } | undefined
}

/**
 * Writes the folder of an imported run: run.json, records.jsonl, and the transcripts of the files as steps. Values of secret variables are
 * redacted in all of them. Returns what run.json says of the import. Throws like `createRunFolder`.
 */
export async function writeImportedRun(
  out: string,
  { sources, price, ...read }: ToWrite,
): Promise<ImportedFacts> {
  const { redact } = findRunSecrets([])
  const clean = <Value>(value: Value): Value => redact?.data(value) ?? value
  const { collected, facts } = clean(read)
  let imported: ImportedFacts = { ...collected.facts, ...facts }
  await createRunFolder(out, async (folder) => {
    const journal = openJournal(folder, { checksums: true })
    try {
      const told = await writeStories(journal, { collected, facts }, sources, clean)
      const versions = [...new Set([...facts.versions, ...told.versions])].toSorted()
      const untested = untestedVersions(facts.format, versions)
      imported = { ...imported, versions, ...told.facts, ...(untested.length > 0 && { untested }) }
      for (const placed of collected.trials) {
        const record = makeRecord(placed, facts.format, (text) => packText(text, journal.blobs))
        const sum = record && told.sums.get(record.trial)
        if (record)
          journal.record(sum ? { ...record, wall: { ...record.wall, ...checksumFields(sum) } } : record)
      }
    } finally {
      journal.close()
    }
    const file = price?.file
    return {
      ...manifestOf(out, collected, imported),
      ...(price && { prices: { table: priceTable, ...(file && { file }) } }),
      ...(redact && { secrets: [...redact.names] }),
    }
  })
  return imported
}

function manifestOf(
  out: string,
  { tasks, rows, trials }: ReadResults['collected'],
  imported: ImportedFacts,
): RunManifest {
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
    ...{ agents: {}, profile: null, limits: {}, preamble: '', baseline: null },
    comparison: defaultComparison,
    trials: trials.length,
  }
}
