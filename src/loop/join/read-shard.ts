import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunManifest } from '../../schema/run/run.ts'
import { firstDifference, wholeRunId } from '../../schema/run/same-run.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import { blobError } from '../journal/blobs.ts'
import { journalFiles } from '../journal/journal.ts'
import { readJournalBytes, stepRemedy } from '../journal/jsonl.ts'
import { trialOf } from '../journal/ledger-index.ts'
import { sizesOf } from '../journal/lines.ts'
import { runFiles } from '../journal/run-files.ts'
import { createPlaces } from '../plan/block-order.ts'
import { hasAmendments } from '../record/amendments.ts'
import { resumeCommand } from '../record/in-blocks.ts'
import { isInUse } from '../record/lock.ts'
import { type RecordedTrial, recordedTrials } from '../record/records.ts'
import { readFirstManifest } from '../record/run-folder.ts'
import { readSessions } from '../record/sessions.ts'
import { assertNothingLost, assertRecordsMatch, createLedgerVerifier } from '../record/verify-ledger.ts'

/** The files in which the lines of each shard stand together. */
export const partFiles = {
  steps: journalFiles.steps,
  events: journalFiles.events,
  people: runFiles.people,
} as const
/** A file in which the lines of each shard stand together. */
export type PartFile = keyof typeof partFiles

/** The bytes of a file. */
export interface Span {
  offset: number
  length: number
}

/** A folder to join: of one shard, or of several that were joined before. */
export interface Source {
  folder: string
  manifest: RunManifest
  of: number
  /** Where the lines of each shard are. */
  parts: ({ index: number } & Record<PartFile, Span>)[]
}

/** A record of a source with the end of its line, and its place in the plan of the whole run. */
export interface PlacedRecord extends Span {
  source: Source
  place: number
}

/** Reads what a folder holds of a run. Throws `UserError` if it cannot be joined. */
export function readSource(folder: string): Source {
  const manifest = readFirstManifest(folder)
  const { shard, joined } = manifest
  const refuse = (what: string, fix: string) => new UserError({ where: folder, what, fix })
  if (!shard && !joined)
    throw refuse('is a run of its own, not a shard', 'Name folders of bench run --shard K/N.')
  if (isInUse(folder)) throw refuse('is in use: bench works on it', 'Wait until it has ended, then join.')
  if (hasAmendments(folder))
    throw refuse('has a plan that was changed after it began', 'Join the shards, then change the joined run.')
  requireFiles(folder)
  const whole = (file: PartFile) => sizesOf(join(folder, partFiles[file])).whole
  const own = shard && {
    index: shard.index,
    steps: whole('steps'),
    events: whole('events'),
    people: whole('people'),
  }
  const ends = { steps: 0, events: 0, people: 0 }
  const parts = (own ? [own] : (joined?.shards ?? [])).map(({ index, ...lengths }) => {
    const span = (file: PartFile): Span => {
      ends[file] += lengths[file]
      return { offset: ends[file] - lengths[file], length: lengths[file] }
    }
    return { index, steps: span('steps'), events: span('events'), people: span('people') }
  })
  for (const file of Object.keys(partFiles) as PartFile[]) {
    if (whole(file) > ends[file])
      throw refuse('has gone on since it was joined', 'Join the shards themselves.')
    if (whole(file) < ends[file])
      throw refuse(`has lost lines of ${partFiles[file]}`, 'Join the shards themselves.')
  }
  return { folder, manifest, of: shard?.of ?? joined?.of ?? 1, parts }
}

/** Throws `UserError` if a file is gone that a session writes. A shard that was killed before its first session has none. */
function requireFiles(folder: string): void {
  const files = Object.values(journalFiles)
  const isBegun = readSessions(folder).length > 0
  if (!isBegun && !files.some((file) => sizesOf(join(folder, file)).whole > 0)) return
  const gone = isBegun ? files.find((file) => !existsSync(join(folder, file))) : runFiles.sessions
  if (gone === undefined) return
  throw new UserError({
    where: join(folder, gone),
    what: existsSync(join(folder, gone)) ? 'is empty, but the shard has begun' : 'is missing',
    fix: `${copyRemedy} Without a copy, go on with the shard first: ${resumeCommand(folder)}`,
  })
}

/** Throws `UserError` if two sources are not parts of one run, with what differs. */
export function requireSameRun(a: Source, b: Source): void {
  const where = `${a.folder}, ${b.folder}`
  const difference = firstDifference(a.manifest, b.manifest)
  if (difference !== undefined)
    throw new UserError({
      where,
      what: `are not parts of one run: they differ in ${difference}`,
      fix: 'Run the parts with the same bench and the same command, but for --shard and --out.',
    })
  if (a.of !== b.of)
    throw new UserError({
      where,
      what: `are parts of ${a.of} and of ${b.of} shards`,
      fix: 'Join shards that were run with the same N of --shard K/N.',
    })
}

/**
 * Checks every line and blob of a source. Returns its records, with their places in the plan. Throws `UserError` for a damaged line, a
 * record that does not follow from its steps, a missing blob, and a record of another run or shard.
 */
export function checkSource(source: Source, placeOf = createPlaces(source.manifest)): PlacedRecord[] {
  const { folder, manifest } = source
  const { run } = manifest.shard ?? {}
  if (run !== undefined && run !== wholeRunId(manifest))
    throw new UserError({
      where: join(folder, runFiles.manifest),
      what: 'names another whole run than its content gives',
      fix: 'Restore the file from a copy of the run folder, or join with the bench that made it.',
    })
  const records: PlacedRecord[] = []
  const check = createLedgerVerifier(folder, placeRecords(source, records, placeOf))
  const requireBlobs = createBlobCheck(folder)
  for (const { bytes, place } of readJournalBytes(join(folder, partFiles.steps), stepRemedy)) {
    const text = bytes.toString('latin1')
    check.line(trialOf(text, place), bytes)
    requireBlobs(text)
  }
  assertRecordsMatch(folder, check.problems())
  assertNothingLost(folder)
  // Reading a line checks its sum.
  for (const _ of readJournalBytes(join(folder, partFiles.events), copyRemedy));
  for (const { bytes } of readJournalBytes(join(folder, partFiles.people), copyRemedy))
    requireBlobs(bytes.toString('latin1'))
  return records
}

const copyRemedy = 'Restore the file from a copy of the run folder.'

/** Adds the records of a source, and yields their trials, of which none is kept: a run may have very many. */
function* placeRecords(
  source: Source,
  records: PlacedRecord[],
  placeOf: ReturnType<typeof createPlaces>,
): Generator<RecordedTrial> {
  const { folder, manifest, of } = source
  const own = new Set(source.parts.map(({ index }) => index))
  for (const head of recordedTrials(folder)) {
    const { trial, where, slot, offset, length } = head
    const found = placeOf(slot)
    if (!found || !own.has((found.block % of) + 1))
      throw new UserError({
        where,
        what: `names a trial that is not in ${manifest.shard ? 'this shard' : 'the joined shards'}: ${trial}`,
        fix: copyRemedy,
      })
    records.push({ source, place: found.place, offset, length: length + 1 })
    yield head
  }
}

const mayNameBlobs = /"(?:blob|source":"(?:folder|tool)")/
const blobNames = /"(?:blob:|blob":"|after":")([0-9a-f]{64})"/g

/** Returns a function that throws `UserError` if a line names a blob that is missing or was changed. */
function createBlobCheck(folder: string): (line: string) => void {
  const checked = new Set<string>()
  return (line) => {
    if (!mayNameBlobs.test(line)) return
    // Of a change set, only files of a folder or a tool are blobs.
    const isKept = line.includes('"source":"folder"') || line.includes('"source":"tool"')
    for (const [text, hash = ''] of line.matchAll(blobNames)) {
      if (checked.has(hash) || (text.startsWith('"after') && !isKept)) continue
      const path = join(folder, 'blobs', hash)
      if (!existsSync(path)) throw blobError(path, 'is missing')
      if (sha256(readFileSync(path)) !== hash) throw blobError(path, 'was changed after it had been written')
      checked.add(hash)
    }
  }
}
