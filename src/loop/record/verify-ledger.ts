import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, UserError } from '../../text/errors.ts'
import { addToChecksum, emptyLedgerChecksum, type LedgerChecksum } from '../journal/checksum.ts'
import { journalFiles } from '../journal/journal.ts'
import { readJournalLines, stepRemedy } from '../journal/jsonl.ts'
import { trialOf } from '../journal/ledger-index.ts'
import { type RecordedTrial, recordedTrials } from './records.ts'
import { readSessions } from './sessions.ts'

/** Holds records against the lines of their trials. */
export interface LedgerVerifier {
  /** Takes the ledger's lines in the order of the file. */
  line(trial: string, text: string): void
  /** The trials whose record does not follow from their steps, and how so. */
  problems(): Map<string, Problem>
}

interface Held {
  where: string
  wanted: LedgerChecksum
  found: LedgerChecksum
  /** Lines that came after those of the record, and count on somebody's bill. */
  more: number
}

/** The check of trials that have ended. */
export function createLedgerVerifier(folder: string, trials: Iterable<RecordedTrial>): LedgerVerifier {
  const held = new Map<string, Held>()
  for (const { trial, where, checksum } of trials)
    held.set(trial, { where, wanted: checksum, found: emptyLedgerChecksum(), more: 0 })
  return {
    line(trial, text) {
      const own = held.get(trial)
      if (!own) return
      if (own.found.lines < own.wanted.lines) addToChecksum(own.found, text)
      // A call that was cut off late, and what `--retry-errors` began: on nobody's bill.
      else if (!text.includes('"payer":"void"')) own.more++
    },
    problems() {
      const problems = new Map<string, Problem>()
      for (const [trial, { where, wanted, found, more }] of held) {
        const fact =
          found.lines < wanted.lines
            ? `${journalFiles.steps} holds ${found.lines} of its ${wanted.lines} lines`
            : more > 0
              ? `${journalFiles.steps} holds ${found.lines + more} lines of it, and its record knows ${wanted.lines}`
              : found.sum !== wanted.sum
                ? `a line of them in ${journalFiles.steps} was changed after it had been written`
                : undefined
        if (fact === undefined) continue
        const what = `the record of trial ${trial} does not follow from its steps: ${fact}`
        problems.set(trial, { where, what, fix: remedy(folder) })
      }
      return problems
    },
  }
}

/** The trials of a run folder whose record does not follow from their steps. Throws `UserError` for a damaged line. */
export function findBrokenTrials(folder: string): Map<string, Problem> {
  const check = createLedgerVerifier(folder, recordedTrials(folder))
  for (const { text, place } of readJournalLines(join(folder, journalFiles.steps), stepRemedy))
    check.line(trialOf(text, place), text)
  return check.problems()
}

/** Throws `UserError` with the first of the trials whose record does not follow from their steps, and the number of all. */
export function assertRecordsMatch(folder: string, broken: ReadonlyMap<string, Problem>): void {
  if (broken.size === 0) return
  if (ledgerBytes(folder) === undefined)
    throw new UserError({
      where: join(folder, journalFiles.steps),
      what: `is missing, but ${broken.size} trial(s) have a record that leans on it`,
      fix: remedy(folder),
    })
  const shown = [...broken.values()].slice(0, mostShown)
  const rest = broken.size - shown.length
  // What to do is the same for all of them.
  const last = shown.length - 1
  throw new UserError(
    shown.map(({ where, what }, i) => {
      if (i < last) return { where, what }
      return { where, what: rest > 0 ? `${what}; so it is with ${rest} more` : what, fix: remedy(folder) }
    }),
  )
}

/** Refuses a run folder whose records do not follow from its ledger, which is read whole. Throws `UserError`. */
export function verifyLedger(folder: string): void {
  assertRecordsMatch(folder, findBrokenTrials(folder))
  const lost = findLostLines(folder) ?? findLostRecords(folder)
  if (lost) throw new UserError(lost)
}

/**
 * What is wrong where the ledger is shorter than it was when the last session ended: also lines of trials without a record
 * are gone then, and whoever goes on would pay for their calls again.
 */
export function findLostLines(folder: string): Problem | undefined {
  const noted =
    readSessions(folder).findLast(({ end }) => end?.stepsBytes !== undefined)?.end?.stepsBytes ?? 0
  const bytes = bytesOfLines(join(folder, journalFiles.steps))
  if (bytes >= noted) return undefined
  return {
    where: join(folder, journalFiles.steps),
    what: `has lost lines: it has ${bytes} bytes, and had ${noted} when the last session ended`,
    fix: remedy(folder),
  }
}

/**
 * What is wrong where records.jsonl is shorter than it was when the last session ended: a trial whose record is gone is not
 * one that has not run yet.
 */
export function findLostRecords(folder: string): Problem | undefined {
  const noted = readSessions(folder).at(-1)?.end?.recordsBytes ?? 0
  const bytes = bytesOfLines(join(folder, journalFiles.records))
  if (bytes >= noted) return undefined
  return {
    where: join(folder, journalFiles.records),
    what: `has lost records: it has ${bytes} bytes, and had ${noted} when the last session ended`,
    fix: `Put ${journalFiles.records} back from a copy of the run folder. Without one: bench run --resume ${folder} makes the records again from their steps, and asks nobody.`,
  }
}

/** A note where trials have run and no session is told of: the file is gone, or holds nothing that can be read. */
export function missingSessionsNote(folder: string): string | undefined {
  if (readSessions(folder).length > 0 || (ledgerBytes(folder) ?? 0) === 0) return undefined
  return `${join(folder, 'sessions.jsonl')} holds no session: on which machine the trials ran, and how long, is not known; time limits count from now, and limits that were raised later are those of run.json again`
}

/**
 * The same for a command that reads no steps: a small run folder is checked whole, of a large one the length of the ledger
 * alone, so that a million records are not told more slowly. Gives a note where there is no ledger to check by.
 */
export function verifyLedgerQuickly(folder: string): string | undefined {
  const bytes = ledgerBytes(folder)
  const records = sizeOf(join(folder, journalFiles.records)) ?? 0
  if (bytes !== undefined && bytes + records <= alwaysChecked) return verifyLedger(folder) as undefined
  const lost = (bytes === undefined ? undefined : findLostLines(folder)) ?? findLostRecords(folder)
  if (lost) throw new UserError(lost)
  return bytes !== undefined || records === 0
    ? undefined
    : `${join(folder, journalFiles.steps)} is missing: these numbers are what the records say, and cannot be held against the calls that they stand for`
}

/** Bytes of the ledger; undefined: there is none. */
export function ledgerBytes(folder: string): number | undefined {
  return sizeOf(join(folder, journalFiles.steps))
}

const mostShown = 5

/** Bytes of ledger and records that are read and summed in about a tenth of a second. */
const alwaysChecked = 16 * 1024 * 1024

const remedy = (folder: string) =>
  `Put ${journalFiles.steps} back from a copy of the run folder. Without one: bench run --resume ${folder} --retry-errors runs such trials again, and keeps what is left of their steps in the bill, as void.`

const blockBytes = 64 * 1024

/** Bytes of a file up to the end of its last whole line; 0: it has none, or is not there. What follows is cut off by whoever writes next. */
function bytesOfLines(path: string): number {
  let end = sizeOf(path) ?? 0
  if (end === 0) return 0
  const file = openSync(path, 'r')
  const block = Buffer.alloc(Math.min(end, blockBytes))
  try {
    while (end > 0) {
      const start = Math.max(0, end - block.length)
      const newline = block.subarray(0, readSync(file, block, 0, end - start, start)).lastIndexOf(0x0a)
      if (newline >= 0) return start + newline + 1
      end = start
    }
    return 0
  } finally {
    closeSync(file)
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
