import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Summary } from '../../analysis/summary.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import { readAmendments } from '../../loop/record/amendments.ts'
import { readRecords } from '../../loop/record/records.ts'
import { renderJUnit } from '../../reports/formats/junit.ts'
import { formats } from '../../reports/registry.ts'
import type { Report } from '../../reports/report.ts'
import { amendmentsText } from '../../reports/words/amendments-text.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Writes the trials of a run as a JUnit file. `summary` must be of the same records. Throws `StorageError`. */
export function writeJUnit(path: string, folder: string, manifest: RunManifest, summary: Summary): void {
  withStorageErrors(path, () => {
    const file = openSync(path, 'w')
    try {
      const run = {
        run: folder,
        createdAt: manifest.createdAt,
        summary,
        amended: amendmentsText(readAmendments(folder)),
      }
      for (const piece of renderJUnit(readRecords(folder), run)) {
        const bytes = Buffer.from(piece)
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      }
    } finally {
      closeSync(file)
    }
  })
}

/** Writes the report of a run into its summary.md. Throws `StorageError`. */
export function writeSummary(folder: string, report: Report): void {
  const path = join(folder, runFiles.summary)
  const text = formats.markdown.render(report, { tasks: true })
  withStorageErrors(path, () => writeFileSync(path, text))
}
