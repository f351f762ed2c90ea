import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { LedgerLine, type Step } from '../../schema/ledger/step.ts'
import { seal } from '../journal/checksum.ts'
import { journalFiles } from '../journal/journal.ts'
import { parseEntry, readSealed, stepRemedy } from '../journal/jsonl.ts'
import { secondCalls } from '../journal/ledger-index.ts'
import { storing } from '../journal/storage.ts'
import { dropRecords, everyRecordLine, keepRecordLines } from './records.ts'
import { holdRunFolder } from './sessions.ts'
import { voidTrials } from './take-back.ts'
import { brokenTrials } from './verify-ledger.ts'

/** What a repair has dropped, or billed as void. */
interface Repaired {
  /** Trials with more than one record, and how many lines of them are gone. */
  secondRecords: ReadonlyMap<string, number>
  /** Trials with calls that stood in the ledger twice, and how many of them are billed as void now. */
  secondCalls: ReadonlyMap<string, number>
  /** Trials that are run again: nothing tells which of their records follows from which steps. */
  again: ReadonlySet<string>
}

/**
 * Mends a run folder on which two processes were at work: what stands twice in it, calls and records, and records that
 * do not follow from their steps. A record that stands there twice to the letter is kept once, where it follows from its
 * steps. Every other trial that is concerned is
 * run again; what it cost stays in the bill, as void. Breaking off leaves a folder that can be repaired again. Throws `UserError` for a
 * damaged line, and while another process holds the folder.
 */
export async function repairRunFolder(folder: string): Promise<Repaired> {
  const lock = holdRunFolder(folder)
  try {
    const calls = voidSecondCalls(folder)
    const { counts, different } = keepFirstRecords(folder)
    const reasons = new Map<string, string>()
    for (const trial of different) reasons.set(trial, 'it had two records')
    for (const trial of calls.keys()) reasons.set(trial, 'calls of it stood in the ledger twice')
    // What a bench that had lost the folder still wrote may stand nowhere else twice.
    for (const trial of brokenTrials(folder).keys())
      if (!reasons.has(trial)) reasons.set(trial, 'its record did not follow from its steps')
    await voidTrials(folder, reasons)
    if (reasons.size > 0) dropRecords(folder, reasons)
    return { secondRecords: counts, secondCalls: calls, again: new Set(reasons.keys()) }
  } finally {
    lock.release()
  }
}

/** What is said of a repair, a line each. */
export function repairNotes({ secondRecords, secondCalls, again }: Repaired): string[] {
  if (secondRecords.size + secondCalls.size + again.size === 0)
    return [
      'nothing to repair: no record and no call stands twice in this folder, and each record follows from its steps',
    ]
  const told = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([trial, count]) => `${trial.slice(0, 12)} (${count})`).join(', ')
  return [
    ...(secondRecords.size > 0 ? [`dropped second records of trials: ${told(secondRecords)}`] : []),
    ...(secondCalls.size > 0
      ? [`billed second calls as void, paid but on no method's bill, of trials: ${told(secondCalls)}`]
      : []),
    ...(again.size > 0
      ? [
          `run again, their first attempt stays in the bill as void: ${[...again].map((trial) => trial.slice(0, 12)).join(', ')}`,
        ]
      : []),
  ]
}

/** Keeps the first record of each trial. Gives how many others there were, and the trials whose records differ. */
function keepFirstRecords(folder: string): { counts: Map<string, number>; different: Set<string> } {
  const first = new Map<string, string>()
  const counts = new Map<string, number>()
  const different = new Set<string>()
  const kept: number[] = []
  let line = 0
  for (const { trial, text } of everyRecordLine(folder)) {
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

/** Makes the payer of every call that stands there already `void`. Gives how many there were, by trial. */
function voidSecondCalls(folder: string): Map<string, number> {
  const path = join(folder, journalFiles.steps)
  const counts = new Map<string, number>()
  const isSecond = secondCalls()
  for (const { step } of stepLines(path))
    if (step && isSecond(step)) counts.set(step.trial, (counts.get(step.trial) ?? 0) + 1)
  if (counts.size === 0) return counts
  const isSecondAgain = secondCalls()
  const write = (fd: number) => {
    for (const { step, text, isSealed } of stepLines(path))
      writeFileSync(fd, `${step && isSecondAgain(step) ? asVoid(step, isSealed) : text}\n`)
  }
  storing(path, () => writeAtomic(path, write, { durable: true, singleWriter: true }))
  return counts
}

function* stepLines(path: string): Generator<{ step: Step | undefined; text: string; isSealed: boolean }> {
  for (const { text, place, isSealed } of readSealed(path, stepRemedy)) {
    const line = parseEntry(text, LedgerLine, place)
    yield { step: line.kind === 'intent' ? undefined : line, text, isSealed }
  }
}

function asVoid(step: Step, isSealed: boolean): string {
  const { trial, ...rest } = step
  // Every line of the ledger begins with its trial.
  const text = JSON.stringify({ trial, ...rest, payer: 'void' })
  return isSealed ? seal(text) : text
}
