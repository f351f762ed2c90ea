import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { LedgerLine, type Step } from '../../schema/ledger/step.ts'
import { addTimesum } from '../journal/checksum.ts'
import { journalFiles } from '../journal/journal.ts'
import { parseLine, readJournalLines, stepRemedy } from '../journal/jsonl.ts'
import { detectDuplicateCalls } from '../journal/ledger-index.ts'
import { withStorageErrors } from '../journal/storage.ts'
import { allRecordLines, dropRecords, keepRecordLines } from './records.ts'
import { holdRunFolder } from './sessions.ts'
import { findBrokenTrials } from './verify-ledger.ts'
import { voidTrials } from './void-trials.ts'

/** What a repair has removed, or billed as void. */
interface Repaired {
  /** Trials with more than one record, with the number of removed lines. */
  duplicateRecords: ReadonlyMap<string, number>
  /** Trials with duplicate calls in the ledger, with the number of calls that are now billed as void. */
  duplicateCalls: ReadonlyMap<string, number>
  /** Trials that will run again, since their records cannot be matched to their steps. */
  again: ReadonlySet<string>
}

/**
 * Repairs a run folder on which two processes worked: duplicate calls, duplicate records, and records that do not match
 * their steps. Identical records of a trial are reduced to one if it matches its steps. Every other affected trial runs
 * again, and its cost stays in the bill as void. An interrupted repair can be repeated. Throws `UserError` for a damaged line, and
 * while another process holds the folder.
 */
export async function repairRunFolder(folder: string): Promise<Repaired> {
  const lock = holdRunFolder(folder)
  try {
    const calls = voidDuplicateCalls(folder)
    const { counts, different } = keepFirstRecords(folder)
    const reasons = new Map<string, string>()
    for (const trial of different) reasons.set(trial, 'it had two records')
    for (const trial of calls.keys()) reasons.set(trial, 'calls of it stood in the ledger twice')
    // A process that had lost the folder may have written lines that have no duplicate.
    for (const trial of findBrokenTrials(folder).keys())
      if (!reasons.has(trial)) reasons.set(trial, 'its record did not follow from its steps')
    await voidTrials(folder, reasons)
    if (reasons.size > 0) dropRecords(folder, reasons)
    return { duplicateRecords: counts, duplicateCalls: calls, again: new Set(reasons.keys()) }
  } finally {
    lock.release()
  }
}

/** Returns the notes that report a repair. */
export function repairNotes({ duplicateRecords, duplicateCalls, again }: Repaired): string[] {
  if (duplicateRecords.size + duplicateCalls.size + again.size === 0)
    return [
      'nothing to repair: the folder has no duplicate records or calls, and each record matches its steps',
    ]
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([trial, count]) => `${trial.slice(0, 12)} (${count})`).join(', ')
  return [
    ...(duplicateRecords.size > 0 ? [`removed duplicate records of trials: ${list(duplicateRecords)}`] : []),
    ...(duplicateCalls.size > 0
      ? [
          `billed duplicate calls as void (paid, but not charged to a method) for trials: ${list(duplicateCalls)}`,
        ]
      : []),
    ...(again.size > 0
      ? [
          `trials to run again; the cost of their first run stays in the bill as void: ${[...again].map((trial) => trial.slice(0, 12)).join(', ')}`,
        ]
      : []),
  ]
}

/** Keeps the first record of each trial. Returns the number of other records by trial, and the trials whose records differ. */
function keepFirstRecords(folder: string): { counts: Map<string, number>; different: Set<string> } {
  const first = new Map<string, string>()
  const counts = new Map<string, number>()
  const different = new Set<string>()
  const kept: number[] = []
  let line = 0
  for (const { trial, text } of allRecordLines(folder)) {
    const before = first.get(trial)
    if (before === undefined) {
      first.set(trial, text)
      kept.push(line)
    } else {
      counts.set(trial, (counts.get(trial) ?? 0) + 1)
      if (before !== text) different.add(trial)
    }
    line++
  }
  if (counts.size > 0) keepRecordLines(folder, kept)
  return { counts, different }
}

/** Sets the payer of duplicate calls to `void`. Returns their number by trial. */
function voidDuplicateCalls(folder: string): Map<string, number> {
  const path = join(folder, journalFiles.steps)
  const counts = new Map<string, number>()
  const isDuplicate = detectDuplicateCalls()
  for (const { step } of stepLines(path))
    if (step && isDuplicate(step)) counts.set(step.trial, (counts.get(step.trial) ?? 0) + 1)
  if (counts.size === 0) return counts
  const isDuplicateAgain = detectDuplicateCalls()
  const write = (fd: number) => {
    for (const { step, text, hasChecksum } of stepLines(path))
      writeFileSync(fd, `${step && isDuplicateAgain(step) ? asVoid(step, hasChecksum) : text}\n`)
  }
  withStorageErrors(path, () => writeAtomic(path, write, { durable: true, singleWriter: true }))
  return counts
}

function* stepLines(path: string): Generator<{ step: Step | undefined; text: string; hasChecksum: boolean }> {
  for (const { text, place, hasChecksum } of readJournalLines(path, stepRemedy)) {
    const line = parseLine(text, LedgerLine, place)
    yield { step: line.kind === 'intent' ? undefined : line, text, hasChecksum }
  }
}

function asVoid(step: Step, hasChecksum: boolean): string {
  const { trial, ...rest } = step
  // Every line of the ledger begins with its trial.
  const text = JSON.stringify({ trial, ...rest, payer: 'void' })
  return hasChecksum ? addTimesum(text) : text
}
