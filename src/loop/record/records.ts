import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { schemaVersion, TrialRecord } from '../../schema/ledger/record.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import { UserError } from '../../text/errors.ts'
import { type LedgerChecksum, ledgerChecksumOf } from '../journal/checksum.ts'
import { journalFiles } from '../journal/journal.ts'
import {
  damagedLine,
  type LinePlace,
  parseObject,
  parseShape,
  readJournalBytes,
  readJournalLines,
} from '../journal/jsonl.ts'
import { type Line, openLineReader, readLines, sizesOf } from '../journal/lines.ts'
import { withStorageErrors } from '../journal/storage.ts'
import { firstAgentSet, hasAmendments } from './amendments.ts'

const remedy = 'Remove the line; bench run --resume runs that trial again.'

const secondRecord =
  'Two processes of bench worked on this folder at the same time. bench run --resume RUN --repair removes duplicates and lists them.'

/**
 * Reads the records of a run folder in the order of the file, and adds their lines to `digest`. Throws `UserError` for a line that
 * is damaged, was written by a newer version, repeats a trial, or needs an amendments.jsonl that is missing.
 */
export function* readRecords(folder: string, digest?: DataDigest): Generator<TrialRecord> {
  const first = firstAgentSet(folder)
  for (const { json, text, place } of recordLines(folder)) {
    digest?.add(text)
    const record = parseShape(json, TrialRecord, place)
    if (refOfVersion(record.task) !== record.task && !hasAmendments(folder))
      throw damagedLine(`names a version of a task, ${record.task}, but amendments.jsonl is missing`, {
        ...place,
        remedy: 'Restore amendments.jsonl from a copy of the run folder.',
      })
    yield first === undefined || record.agentSet !== undefined ? record : { ...record, agentSet: first }
  }
}

/** What `checkRecords` finds in records.jsonl. */
interface CheckedRecords {
  /** The records that `readRecords` gives. */
  count: number
  /** Bytes of the longest line. */
  longest: number
  /** The trial of a last line that is whole but for its newline: readers leave it out. */
  tail?: string
}

/** The first fields of a record, as bench writes them. */
const recordHead = /^\{"schemaVersion":(\d+),"trial":"([^"\\]+)","task":"([^"\\]+)"/
const headBytes = 512

/**
 * Checks the records of a run folder without parsing them: what bench wrote with a checksum, and nobody has changed since, has the shape of a
 * record. Throws like `readRecords`, which reads the file where its lines are not so.
 */
export function checkRecords(folder: string): CheckedRecords {
  const path = join(folder, journalFiles.records)
  const mayNameVersions = hasAmendments(folder)
  const seen = new Set<string>()
  let [count, longest, isPlain] = [0, 0, true]
  for (const { bytes, length, hasChecksum } of readJournalBytes(path, remedy)) {
    const [, version, trial = '', task = ''] = recordHead.exec(bytes.toString('latin1', 0, headBytes)) ?? []
    const isOwn = hasChecksum && version === String(schemaVersion) && !seen.has(trial)
    if (!isOwn || !(mayNameVersions || refOfVersion(task) === task)) isPlain = false
    seen.add(trial)
    longest = Math.max(longest, length)
    count++
  }
  if (!isPlain) for (const _ of readRecords(folder));
  const { size, whole } = sizesOf(path)
  const tail = size > whole ? trialIn(readFileSync(path).subarray(whole)) : undefined
  return { count, longest: Math.max(longest, size - whole), ...(tail !== undefined && { tail }) }
}

function trialIn(line: Buffer): string | undefined {
  try {
    const { trial } = JSON.parse(line.toString()) as { trial?: unknown }
    return typeof trial === 'string' ? trial : undefined
  } catch {
    return undefined
  }
}

/** A trial that has a record, the place of the record, and its checksum over the trial's lines in the ledger. */
export interface RecordedTrial {
  trial: string
  where: string
  checksum: LedgerChecksum
}

/** Which trial a record is of, and where its line is. */
export interface RecordHead extends RecordedTrial, Pick<Line, 'offset' | 'length'> {
  slot: Pick<TrialRecord, 'task' | 'method' | 'agentSet' | 'epoch'>
}

/** Returns the trials that have a record, in the order of the file. Throws like `readRecords`, but does not check all fields. */
export function* recordedTrials(folder: string): Generator<RecordHead> {
  for (const { json, trial, place, offset, length } of recordLines(folder, parseHead))
    yield {
      ...{ trial, where: place.where, checksum: ledgerChecksumOf(json), offset, length },
      slot: json as unknown as RecordHead['slot'],
    }
}

/** Parses the fields of a record that tell its trial, and its `wall`: they are its first and last, and most of it is between. */
function parseHead(text: string, place: LinePlace): Record<string, unknown> {
  const [end, wall] = [text.indexOf(',"mode":'), text.lastIndexOf(',"wall":{')]
  return parseObject(end < 0 || wall < end ? text : text.slice(0, end) + text.slice(wall), place)
}

/** Reads all lines of records.jsonl in the order of the file, duplicate records included. Throws `UserError` for a damaged line. */
export function* allRecordLines(folder: string): Generator<{ trial: string; text: string }> {
  const path = join(folder, journalFiles.records)
  for (const { text, place } of readJournalLines(path, remedy)) {
    const { trial } = parseObject(text, place)
    if (typeof trial !== 'string') throw damagedLine('does not name a trial', place)
    yield { trial, text }
  }
}

interface RecordLine extends Pick<Line, 'offset' | 'length'> {
  json: Record<string, unknown>
  text: string
  trial: string
  place: LinePlace
}

function* recordLines(folder: string, parse = parseObject): Generator<RecordLine> {
  const seen = new Set<string>()
  for (const { text, place, offset, length } of readJournalLines(
    join(folder, journalFiles.records),
    remedy,
  )) {
    const json = parse(text, place)
    const { schemaVersion: version, trial } = json
    if (typeof version === 'number' && version > schemaVersion)
      throw new UserError({
        where: place.where,
        what: `was written by a newer bench: schemaVersion ${version}, this version reads ${schemaVersion}`,
        fix: 'Update bench.',
      })
    if (typeof trial !== 'string') throw damagedLine('does not name a trial', place)
    if (seen.has(trial))
      throw damagedLine(`is a second record of trial ${trial}`, { ...place, remedy: secondRecord })
    seen.add(trial)
    yield { json, text, trial, place, offset, length }
  }
}

/**
 * Rewrites records.jsonl in plan order, so that equal runs have equal files. `order[i]` is the place of the i-th line in the
 * plan. Does nothing if the lines are in order.
 */
export function sortRecords(folder: string, order: readonly number[]): void {
  if (order.every((place, i) => i === 0 || place > (order[i - 1] as number))) return
  const lines = order.map((_, line) => line).sort((a, b) => (order[a] as number) - (order[b] as number))
  keepRecordLines(folder, lines)
}

/** Removes the records of these trials from records.jsonl. */
export function dropRecords(folder: string, trials: { has(trial: string): boolean }): void {
  const kept: number[] = []
  let line = 0
  for (const { trial } of recordedTrials(folder)) {
    if (!trials.has(trial)) kept.push(line)
    line++
  }
  keepRecordLines(folder, kept)
}

/** Characters that are written at once. */
const batchLength = 64 * 1024

/** Rewrites records.jsonl atomically with these lines only, given by their place in the file, from 0. */
export function keepRecordLines(folder: string, lines: readonly number[]): void {
  const path = join(folder, journalFiles.records)
  const places = Array.from(readLines(path), ({ offset, length }) => ({ offset, length }))
  const from = withStorageErrors(path, () => openLineReader(path))
  try {
    const copy = (to: number) => {
      let batch = ''
      for (const line of lines) {
        const { offset, length } = places[line] as Pick<Line, 'offset' | 'length'>
        batch += `${from.read(offset, length)}\n`
        if (batch.length < batchLength) continue
        writeFileSync(to, batch)
        batch = ''
      }
      writeFileSync(to, batch)
    }
    withStorageErrors(path, () => writeAtomic(path, copy, { durable: true, singleWriter: true }))
  } finally {
    from.close()
  }
}

/** SHA-256 of a run's records without their last key, `wall`, which may differ between equal runs. */
export interface DataDigest {
  add(line: string): void
  /** Returns the digest in hexadecimal. Can be called once. */
  result(): string
}

/** Creates a digest without lines. */
export function createDataDigest(): DataDigest {
  const hash = createHash('sha256')
  return {
    add(line) {
      const wall = line.lastIndexOf(',"wall":')
      hash.update(`${wall < 0 ? line : line.slice(0, wall)}\n`)
    },
    result: () => hash.digest('hex'),
  }
}

/** Returns the digest of a run folder's records. */
export function dataDigest(folder: string): string {
  const digest = createDataDigest()
  for (const { text } of readLines(join(folder, journalFiles.records))) digest.add(text)
  return digest.result()
}
