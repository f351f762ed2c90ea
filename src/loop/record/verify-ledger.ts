import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { emptyLedgerChecksum, type LedgerChecksum } from '../journal/checksum.ts'
import { addToChecksum, journalFiles } from '../journal/journal.ts'
import { readJournalLines, stepRemedy } from '../journal/jsonl.ts'
import { trialOf } from '../journal/ledger-index.ts'
import { readRawLines, sizesOf } from '../journal/lines.ts'
import { isBlock, resumeCommand } from './in-blocks.ts'
import { type RecordedTrial, recordedTrials } from './records.ts'
import { readSessions } from './sessions.ts'

/** Compares records with the lines of their trials in the ledger. */
export interface LedgerVerifier {
  /** Adds the next line of the ledger. */
  line(trial: string, text: string | Buffer): void
  /** Returns the trials whose record does not match their steps, each with the problem. */
  problems(): Map<string, Problem>
}

interface Comparison {
  expected: LedgerChecksum
  found: LedgerChecksum
}

/** Creates a verifier for the trials of a run folder that have a record. */
export function createLedgerVerifier(folder: string, trials: Iterable<RecordedTrial>): LedgerVerifier {
  // A run may have very many trials: nothing is kept of a trial that matches but its name.
  const comparisons = new Map<string, Comparison | 'equal'>()
  /** Later lines that are billed to the method or to grading. */
  const more = new Map<string, number>()
  for (const { trial, checksum } of trials) {
    const isEmpty = checksum.lines === 0 && checksum.sum === 0
    comparisons.set(trial, isEmpty ? 'equal' : { expected: checksum, found: emptyLedgerChecksum() })
  }
  return {
    line(trial, text) {
      const own = comparisons.get(trial)
      if (!own) return
      if (own !== 'equal' && own.found.lines < own.expected.lines) {
        addToChecksum(own.found, text)
        const { expected, found } = own
        if (found.lines === expected.lines && found.sum === expected.sum) comparisons.set(trial, 'equal')
      }
      // Calls that were cut off late, and the steps of `--retry-errors`, are void.
      else if (!text.includes('"payer":"void"')) more.set(trial, (more.get(trial) ?? 0) + 1)
    },
    problems() {
      const broken = new Map<string, number | undefined>()
      for (const [trial, own] of comparisons) if (own !== 'equal') broken.set(trial, own.found.lines)
      for (const trial of more.keys()) if (!broken.has(trial)) broken.set(trial, undefined)
      const problems = new Map<string, Problem>()
      for (const { trial, where, checksum } of broken.size > 0 ? recordedTrials(folder) : []) {
        if (!broken.has(trial)) continue
        const fact = differenceOf(checksum.lines, broken.get(trial), more.get(trial))
        const what = `the record of trial ${trial} does not match its steps: ${fact}`
        problems.set(trial, { where, what, fix: remedy(folder) })
      }
      return problems
    },
  }
}

/** Says how the lines of a trial differ from those that its record counts; without `found`, as many lines are equal. */
function differenceOf(counted: number, found = counted, more = 0): string {
  if (found < counted) return `${journalFiles.steps} holds ${found} of its ${counted} lines`
  if (more > 0)
    return `${journalFiles.steps} holds ${found + more} lines of it, but its record counts ${counted}`
  return `a line of it in ${journalFiles.steps} was changed after it had been written`
}

/** Finds the trials of a run folder whose record does not match their steps. Throws `UserError` for a damaged line. */
export function findBrokenTrials(folder: string): Map<string, Problem> {
  const check = createLedgerVerifier(folder, recordedTrials(folder))
  for (const { text, place } of readJournalLines(join(folder, journalFiles.steps), stepRemedy))
    check.line(trialOf(text, place), text)
  return check.problems()
}

/** Throws `UserError` if `broken` holds trials: with the first of them, and the number of the others. */
export function assertRecordsMatch(folder: string, broken: ReadonlyMap<string, Problem>): void {
  if (broken.size === 0) return
  if (ledgerBytes(folder) === undefined)
    throw new UserError({
      where: join(folder, journalFiles.steps),
      what: `is missing, but the records of ${broken.size} trial(s) need it`,
      fix: remedy(folder),
    })
  const shown = [...broken.values()].slice(0, maxShown)
  const rest = broken.size - shown.length
  // The remedy is the same for all of them, so it is shown once.
  const last = shown.length - 1
  throw new UserError(
    shown.map(({ where, what }, i) => {
      if (i < last) return { where, what }
      return {
        where,
        what: rest > 0 ? `${what}; ${rest} more records have the same problem` : what,
        fix: remedy(folder),
      }
    }),
  )
}

/** Reads the whole ledger. Throws `UserError` if records do not follow from it, or if it is shorter than after the last session. */
export function verifyLedger(folder: string): void {
  assertRecordsMatch(folder, findBrokenTrials(folder))
  assertNothingLost(folder)
}

/** Throws `UserError` if the ledger or the records are shorter than after the last session. */
export function assertNothingLost(folder: string): void {
  const lost = findLostLines(folder) ?? findLostRecords(folder)
  if (lost) throw new UserError(lost)
}

/**
 * Returns a problem if the ledger is shorter than it was when the last session ended. Then lines of trials without a record may be
 * gone, too, and resuming would pay for their calls again.
 */
export function findLostLines(folder: string): Problem | undefined {
  const last = readSessions(folder).findLast(({ end }) => end?.stepsBytes !== undefined)
  return shorterThan(last?.end?.stepsBytes, join(folder, journalFiles.steps), 'lines', remedy(folder))
}

/**
 * Returns a problem if records.jsonl is shorter than it was when the last session ended: trials without a record may have
 * run then.
 */
export function findLostRecords(folder: string): Problem | undefined {
  const noted = readSessions(folder).at(-1)?.end?.recordsBytes
  const fix = `Restore ${journalFiles.records} from a copy of the run folder. Without a copy, ${resumeCommand(folder)} rebuilds the records from their steps without any calls.`
  return shorterThan(noted, join(folder, journalFiles.records), 'records', fix)
}

function shorterThan(noted = 0, where: string, what: string, fix: string): Problem | undefined {
  const bytes = sizesOf(where).whole
  if (bytes >= noted) return undefined
  return {
    where,
    what: `has lost ${what}: it has ${bytes} bytes, but had ${noted} when the last session ended`,
    fix,
  }
}

/** Throws `UserError` if records of an imported run are missing: its run.json counts them. */
export function assertImportWhole(folder: string, { rows }: ImportedFacts): void {
  const noted = rows.reduce((sum, row) => sum + row.passed + row.failed + row.notGraded + row.error, 0)
  const path = join(folder, journalFiles.records)
  let found = 0
  for (const _ of readRawLines(path)) found++
  if (found < noted)
    throw new UserError({
      where: path,
      what: `has lost records: it has ${found}, but ${noted} were imported`,
      fix: `Restore ${journalFiles.records} from a copy of the run folder, or import the files again.`,
    })
}

/** Returns a note if trials have run but sessions.jsonl is missing or empty. An import has no sessions. */
export function missingSessionsNote(
  folder: string,
  { imported }: { imported?: unknown } = {},
): string | undefined {
  if (imported) return undefined
  if (readSessions(folder).length > 0 || (ledgerBytes(folder) ?? 0) === 0) return undefined
  return `${join(folder, 'sessions.jsonl')} holds no session, so the machine and the duration of earlier sessions are unknown; time limits count from now, and the limits of run.json apply`
}

/**
 * Verifies the ledger for a command that does not read steps. A small run folder is verified whole; of a large one only the file
 * sizes are checked. Returns a note if there is no ledger. Throws like `verifyLedger`.
 */
export function verifyLedgerQuickly(folder: string): string | undefined {
  const bytes = ledgerBytes(folder)
  const records = sizeOf(join(folder, journalFiles.records)) ?? 0
  if (bytes !== undefined && bytes + records <= alwaysVerifiedBytes) return verifyLedger(folder) as undefined
  const lost = (bytes === undefined ? undefined : findLostLines(folder)) ?? findLostRecords(folder)
  if (lost) throw new UserError(lost)
  return bytes !== undefined || records === 0
    ? undefined
    : `${join(folder, journalFiles.steps)} is missing: these numbers come from the records and cannot be checked against the calls`
}

function ledgerBytes(folder: string): number | undefined {
  return sizeOf(join(folder, journalFiles.steps))
}

const maxShown = 5

/** Size of ledger and records up to which every command verifies them whole; bytes. */
const alwaysVerifiedBytes = 16 * 1024 * 1024

const remedy = (folder: string) =>
  `Restore ${journalFiles.steps} from a copy of the run folder. Without a copy, ${
    isBlock(folder)
      ? `remove ${folder} and go on with the run: workers do this block again, and its calls are paid again.`
      : `${resumeCommand(folder)} --retry-errors runs these trials again; their remaining steps stay in the bill as void.`
  }`

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
