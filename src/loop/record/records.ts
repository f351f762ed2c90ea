import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { schemaVersion, TrialRecord } from '../../schema/ledger/record.ts'
import { UserError } from '../../text/errors.ts'
import { journalFiles } from '../journal/journal.ts'
import { damaged, type LinePlace, parseObject, readSealed, shaped } from '../journal/jsonl.ts'
import { type LedgerMark, markOf } from '../journal/ledger-mark.ts'
import { type Line, openLineReader, readLines } from '../journal/lines.ts'
import { storing } from '../journal/storage.ts'

const remedy = 'Remove the line; bench run --resume runs that trial again.'

const secondRecord =
  'Two bench worked on this folder at once. bench run --resume RUN --repair drops what stands twice, and says what.'

/**
 * The records of a run folder in the order of the file; `digest` takes the line of each. Throws `UserError` on a line that is
 * damaged, of a newer version, or of a trial that has one already.
 */
export function* readRecords(folder: string, digest?: DataDigest): Generator<TrialRecord> {
  for (const { json, text, place } of recordLines(folder)) {
    digest?.add(text)
    yield shaped(json, TrialRecord, place)
  }
}

/** A trial that has a record, where that stands, and what it says of the trial's lines in the ledger. */
export interface RecordedTrial {
  trial: string
  where: string
  mark: LedgerMark
}

/** The trials that have a record, in the order of the file. Throws like `readRecords`, but looks no closer. */
export function* recordedTrials(folder: string): Generator<RecordedTrial> {
  for (const { json, trial, place } of recordLines(folder))
    yield { trial, where: place.where, mark: markOf(json) }
}

/** The lines of records.jsonl in the order of the file, second records of a trial included. Throws like `readRecords` for a damaged one. */
export function* everyRecordLine(folder: string): Generator<{ trial: string; text: string }> {
  const path = join(folder, journalFiles.records)
  for (const { text, place } of readSealed(path, remedy)) {
    const { trial } = parseObject(text, place)
    if (typeof trial !== 'string') throw damaged('names no trial', place)
    yield { trial, text }
  }
}

interface RecordLine {
  json: Record<string, unknown>
  text: string
  trial: string
  place: LinePlace
}

function* recordLines(folder: string): Generator<RecordLine> {
  const seen = new Set<string>()
  for (const { text, place } of readSealed(join(folder, journalFiles.records), remedy)) {
    const json = parseObject(text, place)
    const { schemaVersion: version, trial } = json
    if (typeof version === 'number' && version > schemaVersion)
      throw new UserError({
        where: place.where,
        what: `was written by a newer bench: schemaVersion ${version}, this one reads ${schemaVersion}`,
        fix: 'Update bench.',
      })
    if (typeof trial !== 'string') throw damaged('names no trial', place)
    if (seen.has(trial))
      throw damaged(`is a second record of trial ${trial}`, { ...place, remedy: secondRecord })
    seen.add(trial)
    yield { json, text, trial, place }
  }
}

/**
 * Rewrites records.jsonl in plan order, so that equal runs give equal files. `order[i]` is the place in the plan of the
 * file's i-th line. Does nothing when they stand in order.
 */
export function sortRecords(folder: string, order: readonly number[]): void {
  if (order.every((place, i) => i === 0 || place > (order[i - 1] as number))) return
  const lines = order.map((_, line) => line).sort((a, b) => (order[a] as number) - (order[b] as number))
  keepRecordLines(folder, lines)
}

/** Rewrites records.jsonl without the records of these trials. */
export function dropRecords(folder: string, trials: { has(trial: string): boolean }): void {
  const kept: number[] = []
  let line = 0
  for (const { trial } of recordedTrials(folder)) {
    if (!trials.has(trial)) kept.push(line)
    line++
  }
  keepRecordLines(folder, kept)
}

/** Keeps these lines of records.jsonl, by their place in the file from 0: whole before, or whole after. */
export function keepRecordLines(folder: string, lines: readonly number[]): void {
  const path = join(folder, journalFiles.records)
  const places = Array.from(readLines(path), ({ offset, length }) => ({ offset, length }))
  const from = storing(path, () => openLineReader(path))
  try {
    const copy = (to: number) => {
      for (const line of lines) {
        const { offset, length } = places[line] as Pick<Line, 'offset' | 'length'>
        writeFileSync(to, `${from.read(offset, length)}\n`)
      }
    }
    storing(path, () => writeAtomic(path, copy, { durable: true, singleWriter: true }))
  } finally {
    from.close()
  }
}

/** SHA-256 of a run's records without what may differ between two equal runs: each line up to its last key, `wall`. */
export interface DataDigest {
  /** Takes the next line. */
  add(line: string): void
  /** In hexadecimal, of all lines; once. */
  result(): string
}

/** The digest of no lines. */
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

/** The digest of a run folder's records. */
export function dataDigest(folder: string): string {
  const digest = createDataDigest()
  for (const { text } of readLines(join(folder, journalFiles.records))) digest.add(text)
  return digest.result()
}
