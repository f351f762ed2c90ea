import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
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

/** Writes a run folder with these records, each with its own trial; returns its manifest. */
export function writeRun(
  folder: string,
  changes: Partial<RunManifest>,
  records: readonly Partial<TrialRecord>[],
): RunManifest {
  const name = basename(folder)
  const lines = records.map((change, i) => recordLine({ ...record(`${name}-${i}`), ...change }))
  const own = writeManifest(folder, { trials: records.length, ...changes })
  writeFileSync(join(folder, 'records.jsonl'), lines.map((line) => `${line}\n`).join(''))
  return own
}
