import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addTimesum, checksumFields, emptyLedgerChecksum } from '../../../src/loop/journal/checksum.ts'
import { addToChecksum } from '../../../src/loop/journal/journal.ts'
import { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { digest } from '../../../src/text/canonical-json.ts'
import { manifest, record } from './run-files.ts'

/** A record with its checksum, as a run writes it: `wall` is last. */
export const recordLine = ({ wall, ...one }: TrialRecord): string =>
  addTimesum(JSON.stringify({ ...one, wall }), '}}')

/** Writes run.json with its digest. */
export function writeManifest(folder: string, changes: object): RunManifest {
  mkdirSync(folder, { recursive: true })
  const own = { ...manifest, id: basename(folder), ...changes } as RunManifest
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...own, sum: digest(own) }))
  return own
}

/** What a run says of the import that made it. */
export const imported = (passed: number): NonNullable<RunManifest['imported']> => ({
  ...{ format: 'table', versions: [], files: [], copies: 0, leftOut: { count: 0, items: [] }, differing: [] },
  rows: [{ row: 'baseline', passed, failed: 0, notGraded: 0, error: 0, notRun: 0 }],
})

/** Writes a run folder with these records, each with its own trial if it names none, and the ledger of their steps. */
export function writeRun(
  folder: string,
  changes: Partial<RunManifest>,
  records: readonly Partial<TrialRecord>[],
  steps: readonly Step[] = [],
): RunManifest {
  const own = writeManifest(folder, { trials: records.length, ...changes })
  const lines = steps.map((step) => ({ trial: step.trial, text: JSON.stringify(step) }))
  writeFileSync(join(folder, 'steps.jsonl'), lines.map(({ text }) => `${text}\n`).join(''))
  const recordLines = records.map((change, i) => {
    const one = { ...record(`${basename(folder)}-${i}`), ...change }
    const checksum = emptyLedgerChecksum()
    for (const { trial, text } of lines) if (trial === one.trial) addToChecksum(checksum, text)
    // In the order of its schema, as a run writes it.
    return recordLine(TrialRecord.parse({ ...one, wall: { ...one.wall, ...checksumFields(checksum) } }))
  })
  writeFileSync(join(folder, 'records.jsonl'), recordLines.map((line) => `${line}\n`).join(''))
  return own
}

/** Makes the last session say that it wrote more records than the folder has. */
export function loseRecords(folder: string): void {
  const begin = {
    ...{ type: 'begin', startedAt: '2026-01-01T00:00:00.000Z', parallel: 1 },
    budgets: { run: {}, methods: {} },
  }
  const end = { type: 'end', ms: 1, reason: 'whole', limits: [], recordsBytes: 100_000 }
  const lines = [begin, end].map((line) => `${addTimesum(JSON.stringify(line))}\n`)
  writeFileSync(join(folder, 'sessions.jsonl'), lines.join(''))
}
