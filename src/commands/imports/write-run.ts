import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { priceTable } from '../../agents/price-book.ts'
import type { Collected } from '../../imports/collect-trials.ts'
import { makeRecord } from '../../imports/place-trials.ts'
import { checksumFields } from '../../loop/journal/checksum.ts'
import { journalFiles, openJournal, packText, recordLine } from '../../loop/journal/journal.ts'
import { createRunFolder } from '../../loop/record/run-folder.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import { defaultComparison } from '../../schema/run/comparison-plan.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { digest } from '../../text/canonical-json.ts'
import type { Redactor } from '../../text/redact.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { nameRun, provenance } from '../session/new-manifest.ts'
import { type LabelledSource, type ReadOptions, readSources } from './read-sources.ts'
import { openStories } from './write-stories.ts'

/**
 * Reads results of another harness and writes the folder of their run: run.json, records.jsonl, and transcripts as steps. Values of secret
 * variables are redacted in all of them. Returns what was read, and what run.json says of it. Throws `UserError` for files that cannot be read
 * and for those without a trial, and like `createRunFolder`; then there is no folder.
 */
export async function writeImportedRun(
  out: string,
  sources: readonly LabelledSource[],
  options: ReadOptions,
): Promise<{ collected: Collected; facts: ImportedFacts }> {
  const { redact } = findRunSecrets([])
  const clean = <Value>(value: Value): Value => redact?.data(value) ?? value
  let result: { collected: Collected; facts: ImportedFacts } | undefined
  await createRunFolder(out, async (folder) => {
    const journal = openJournal(folder, { checksums: true })
    try {
      const stories = openStories(journal, clean)
      const { collected, facts } = clean(await readSources(sources, options, { stories, clean }))
      const imported = { ...collected.facts, ...facts, ...stories.facts() }
      result = { collected, facts: imported }
      const write = openBatches(join(folder, journalFiles.records))
      for (const placed of collected.trials) {
        const record = makeRecord(placed, facts.format, (text) => packText(text, journal.blobs))
        if (!record) continue
        const sum = stories.checksumOf(record.trial)
        if (sum) Object.assign(record.wall, checksumFields(sum))
        write.line(recordLine(record))
      }
      write.end()
      return { ...manifestOf(out, { collected, imported, options, redact }), ...planOf(options.baseline) }
    } finally {
      journal.close()
    }
  })
  return result as NonNullable<typeof result>
}

/** Characters that are written at once. */
const batchLength = 64 * 1024

/** Writes lines to a file, many at once: all lines of a large import are longer than any text may be. */
function openBatches(path: string) {
  let batch = ''
  const end = () => {
    appendFileSync(path, batch)
    batch = ''
  }
  return {
    line(text: string): void {
      batch += `${text}\n`
      if (batch.length >= batchLength) end()
    },
    end,
  }
}

/** With a baseline, the tests are those against it. */
const planOf = (baseline: string | null = null): Pick<RunManifest, 'baseline' | 'comparison'> => ({
  baseline,
  comparison: { ...defaultComparison, ...(baseline !== null && { family: 'baseline' }) },
})

interface ManifestParts {
  collected: Collected
  imported: ImportedFacts
  options: ReadOptions
  redact: Redactor | undefined
}

function manifestOf(
  out: string,
  { collected: { tasks, rows, trials }, imported, options: { price }, redact }: ManifestParts,
): Omit<RunManifest, 'baseline' | 'comparison'> {
  const { id, createdAt } = nameRun({ out })
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
    ...(price && { prices: { table: priceTable, ...(price.file && { file: price.file }) } }),
    ...(redact && { secrets: [...redact.names] }),
  }
}
