import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { type SummedRecord, schemaVersion, TrialRecord } from '../schema/record.ts'
import { syncFolder } from '../write-atomic.ts'
import { type DigestedLines, dataEnd } from './data-digest.ts'
import { damaged, type LinePlace, parseObject, readSealed, sealCheck, shaped } from './entries.ts'
import { journalFiles } from './journal.ts'
import { type LedgerMark, markOf } from './ledger-mark.ts'
import { emptyLine, goTo, type LineBytes, readLineBytes } from './lines.ts'
import { createRecordReader } from './record-bytes.ts'
import { isTrueSum, type Seal, sealOf } from './seal.ts'
import { storageError, storing } from './storage.ts'
import { createTrialIds, type TrialIds } from './trial-ids.ts'

const remedy = 'Remove the line; bench run --resume runs that trial again.'

const secondRecord =
  'Two bench worked on this folder at once. bench run --resume RUN --repair drops what stands twice, and says what.'

/**
 * The records of a run folder in the order of the file. Throws `UserError` on a line that is damaged, of a newer version,
 * or of a trial that has one already.
 */
export function* readRecords(folder: string): Generator<TrialRecord> {
  for (const { json, place } of recordLines(folder)) yield shaped(json, TrialRecord, place)
}

/** Where the id stands in a line as bench writes it. */
const idBehind = `{"schemaVersion":${schemaVersion},"trial":"`.length
// Of a line; a table of ids that is too small grows.
const usualBytes = 800

/**
 * What sums need of each record, in the order of the file, given to `take`: the same as `readRecords` gives, and the same
 * errors, in a fraction of the time. A record is to be used at once: the next may come in the same object. `lines` are those of
 * its file; their digest takes the data of each.
 */
export function readSummedRecords(
  folder: string,
  { blocks, digest }: DigestedLines,
  take: (record: SummedRecord) => void,
): void {
  const path = join(folder, journalFiles.records)
  const seen = createTrialIds((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / usualBytes)
  const checked = recordCheck(path, seen)
  const read = createRecordReader()
  const line = emptyLine()
  let seal: Seal | undefined
  for (const block of blocks) {
    // Lines whose ids are in the set before their turn comes: all of a block, until one of them is not as it should be.
    let ahead = seen.addLines(block, idBehind) ? block.count : 0
    for (let index = 0; index < block.count; index++) {
      goTo(line, block, index, path)
      const quick = read(line)
      if (
        quick &&
        (quick.sumAt < 0
          ? seal === 'none'
          : seal === 'whole' && isTrueSum(line, quick.sumAt, block.sums?.[index])) &&
        (index < ahead
          ? quick.idAt === line.start + idBehind
          : seen.addAt(line.bytes, quick.idAt, quick.record.trial))
      ) {
        digest.add(line, quick.dataEnd)
        take(quick.record)
        continue
      }
      if (index < ahead) {
        seen.takeBack(ahead - index)
        ahead = 0
      }
      const { json, place } = checked(line)
      seal = sealOf(line)
      digest.add(line, dataEnd(line))
      take(shaped(json, TrialRecord, place))
    }
  }
}

/** A trial that has a record, where that stands, and what it says of the trial's lines in the ledger. */
export interface RecordedTrial {
  trial: string
  where: string
  mark: LedgerMark | undefined
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
  trial: string
  place: LinePlace
}

function* recordLines(folder: string): Generator<RecordLine> {
  const path = join(folder, journalFiles.records)
  const checked = recordCheck(path, createTrialIds())
  for (const line of readLineBytes(path)) yield checked(line)
}

/** Takes the lines of one file of records one by one. */
function recordCheck(path: string, seen: TrialIds): (line: LineBytes) => RecordLine {
  const sealed = sealCheck(path, remedy)
  return (line) => {
    const { text, place } = sealed(line)
    const json = parseObject(text, place)
    const { schemaVersion: version, trial } = json
    if (typeof version === 'number' && version > schemaVersion)
      throw new UserError({
        where: place.where,
        what: `was written by a newer bench: schemaVersion ${version}, this one reads ${schemaVersion}`,
        fix: 'Update bench.',
      })
    if (typeof trial !== 'string') throw damaged('names no trial', place)
    if (!seen.add(trial))
      throw damaged(`is a second record of trial ${trial}`, { ...place, remedy: secondRecord })
    return { json, trial, place }
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
  const offsets: number[] = []
  const lengths: number[] = []
  for (const { offset, start, end } of readLineBytes(path)) {
    offsets.push(offset)
    lengths.push(end + 1 - start)
  }
  const draft = `${path}.draft`
  const from = storing(path, () => openSync(path, 'r'))
  const to = storing(draft, () => openSync(draft, 'w'))
  try {
    for (const line of lines) {
      const bytes = Buffer.allocUnsafe(lengths[line] as number)
      readSync(from, bytes, 0, bytes.length, offsets[line] as number)
      // A full disk takes a part and says so only the next time.
      for (let at = 0; at < bytes.length; ) at += writeSync(to, bytes, at)
    }
    fsyncSync(to)
    renameSync(draft, path)
    syncFolder(folder)
  } catch (error) {
    throw storageError(draft, error)
  } finally {
    closeSync(from)
    closeSync(to)
    rmSync(draft, { force: true })
  }
}
