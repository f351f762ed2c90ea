import { join } from 'node:path'
import type { VoidStep } from '../schema/step.ts'
import { openBlobs } from './blobs.ts'
import { openJournal } from './journal.ts'
import { indexJournal, isSealed } from './journal-index.ts'
import { dropRecords, readRecords } from './records.ts'

/**
 * Takes back the trials of a run folder that ended in error, so that they are run again: their steps no longer answer
 * but stay in the bill as void, and their records go. Gives their ids. The voids are durable before a record goes, and
 * the records go at one stroke: a crash in between leaves them in error, to be taken back again.
 */
export async function takeBackErrors(folder: string): Promise<ReadonlySet<string>> {
  const errors = new Map<string, string>()
  for (const { trial, outcome } of readRecords(folder))
    if (outcome.status === 'error') errors.set(trial, outcome.reason)
  if (errors.size === 0) return new Set()
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), (trial) => errors.has(trial))
  const journal = openJournal(folder, { sealed: isSealed(folder) })
  try {
    for (const [trial, reason] of errors)
      journal.step(voidOf(trial, [...index.recorded(trial).steps.keys()], reason))
    await journal.syncSteps()
  } finally {
    index.close()
    journal.close()
  }
  dropRecords(folder, errors)
  return new Set(errors.keys())
}

function voidOf(trial: string, keys: string[], reason: string): VoidStep {
  return {
    trial,
    key: '#0',
    attempt: 1,
    kind: 'void',
    payer: 'void',
    hash: '',
    at: 0,
    durationMs: 0,
    keys,
    reason: `run again, since it ended in error: ${reason}`,
    rerun: true,
  }
}
