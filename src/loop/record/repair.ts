import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeAtomic } from '../../base/write-atomic.ts'
import { LedgerLine, type Step } from '../../schema/ledger/step.ts'
import { UserError } from '../../text/errors.ts'
import { openBlobs } from '../journal/blobs.ts'
import { addTimesum } from '../journal/checksum.ts'
import { journalFiles, openJournal, voidStep } from '../journal/journal.ts'
import { hasChecksums, parseLine, readJournalLines, stepRemedy } from '../journal/jsonl.ts'
import { detectDuplicateCalls, indexJournal } from '../journal/ledger-index.ts'
import { withStorageErrors } from '../journal/storage.ts'
import { heartbeatMs, holderState, lockPath, parseHolder, readLock, removeLock } from './lock.ts'
import { allRecordLines, dropRecords, keepRecordLines } from './records.ts'
import { endKilledSession, holdRunFolder } from './sessions.ts'
import { findBrokenTrials } from './verify-ledger.ts'
import { rerunEvent, rerunKey } from './workflow-events.ts'

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

/** Three heartbeats: a living holder renews its lock in that time, whatever the clock of its machine says. */
const watchMs = 3 * heartbeatMs + 500

/**
 * Removes the lock that a dead process of another machine or container left on a run folder. A lock of this machine is left to
 * `lockRunFolder`, which can see whether its process is alive. Throws `UserError` if the holder renews its lock.
 */
export async function removeForeignLock(folder: string): Promise<void> {
  const path = lockPath(folder)
  const text = readLock(path)
  const holder = parseHolder(text)
  if (text === undefined || (holder && holderState(holder) !== 'foreign')) return
  const before = touchedAt(path)
  await sleep(watchMs)
  // The file is read before its time: opening it makes a network file system refresh the time.
  const now = readLock(path)
  if (now === undefined) return
  if (now === text && touchedAt(path) === before) {
    // If several processes take it over, one records the end.
    return removeLock(folder, text, () => endKilledSession(folder, holder?.ms))
  }
  throw new UserError({
    where: folder,
    what: `is in use by a running bench: its lock changed within ${watchMs / 1000} s`,
    fix: 'Stop that bench on its machine, or wait until it has ended.',
  })
}

const touchedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs

/**
 * Voids all steps of trials, so that the trials run again; the steps stay in the bill. An event says where the trace of each begins
 * again, since the same keys follow. Resolves when that is durable: only then may the records be removed. `reasons` holds the
 * reason for each trial.
 */
export async function voidTrials(folder: string, reasons: ReadonlyMap<string, string>): Promise<void> {
  if (reasons.size === 0) return
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), (trial) => reasons.has(trial))
  const journal = openJournal(folder, { checksums: hasChecksums(join(folder, journalFiles.steps)) === true })
  try {
    for (const [trial, reason] of reasons) {
      const { steps, checksum } = index.readTrial(trial)
      const step = voidStep(trial, { key: '#0', hash: '' }, [...steps.keys()], `run again, since ${reason}`)
      journal.step({ ...step, rerun: true }, checksum)
    }
    await journal.syncSteps()
    for (const trial of reasons.keys()) journal.event(trial, rerunKey, rerunEvent)
  } finally {
    index.close()
    journal.close()
  }
}
