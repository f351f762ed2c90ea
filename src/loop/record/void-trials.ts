import { join } from 'node:path'
import type { VoidStep } from '../../schema/ledger/step.ts'
import { openBlobs } from '../journal/blobs.ts'
import { journalFiles, openJournal } from '../journal/journal.ts'
import { hasChecksums } from '../journal/jsonl.ts'
import { indexJournal } from '../journal/ledger-index.ts'
import { rerunEvent, rerunKey } from './rerun-event.ts'

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
      journal.step(voidOf(trial, [...steps.keys()], reason), checksum)
    }
    await journal.syncSteps()
    for (const trial of reasons.keys()) journal.event(trial, rerunKey, rerunEvent)
  } finally {
    index.close()
    journal.close()
  }
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
    reason: `run again, since ${reason}`,
    rerun: true,
  }
}
