import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { wellFormed } from '../../replies/clean-data.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Intent, LedgerLine, Step, VoidStep } from '../../schema/ledger/step.ts'
import type { TraceEvent } from '../../strategy.ts'
import { type Blobs, blobError, mapTexts, openBlobs } from './blobs.ts'
import { addTimesum, type LedgerChecksum } from './checksum.ts'
import { holdRecords, type LineFile, type LineFileEvents, openLineFile } from './line-file.ts'
import { runFiles } from './run-files.ts'
import { type OutputFiles, openOutputFiles, type StorageEvents } from './storage.ts'

/** The files of a run folder that are appended to. */
export const journalFiles = {
  steps: runFiles.steps,
  events: runFiles.events,
  records: runFiles.records,
} as const

/** How long a paid result may stay unsynced; ms. */
const restMs = 25

/** Appends steps, events and records to a run folder. Paid effects are synced; free effects are written in batches. */
export interface Journal {
  blobs: Blobs
  outputs: OutputFiles
  /** Appends a step and adds it to the trial's checksum, which the trial's record will hold. */
  step(step: Step, checksum: LedgerChecksum): void
  /** Appends a trace event; `trial` is null for an event of the whole run. */
  event(trial: string | null, key: string, event: TraceEvent): void
  /** Appends the intent of a paid call. Resolves when it is durable with all before it, so that the call may go out. */
  intent(intent: Intent, checksum: LedgerChecksum): Promise<void>
  /**
   * Notes that a call with an intent has ended. Writes its steps to the file, so that they survive a crash of the process, and
   * syncs them before the next paid call, before a record, or after 25 ms.
   */
  callEnded(): void
  /** Makes all steps so far durable. */
  syncSteps(): Promise<void>
  /** Appends a record. It is written after the steps of its trial, and in a paid run after these are durable. */
  record(record: TrialRecord): void
  /** Writes all records so far whose steps are durable, so that a killed process loses none of them. */
  flushRecords(): void
  /** Writes everything so far, and in a paid run makes it durable. */
  persist(): Promise<void>
  flush(): void
  close(): void
}

/**
 * Opens the files of a run folder for appending, and removes a line that a crash cut short. `onStorageError` is called when a file
 * cannot be written; lines after that may be missing, so the run must stop. `assertWritable` throws when this process may no
 * longer write. With `checksums`, every line gets a checksum; records always have one.
 */
export function openJournal(folder: string, options: { checksums?: boolean } & StorageEvents = {}): Journal {
  const { onStorageError, assertWritable } = options
  const { steps, events, records } = openFiles(folder, { onStorageError, assertWritable })
  const blobs = openBlobs(join(folder, 'blobs'), onStorageError)
  const held = holdRecords(steps, records, restMs)
  const textOf = (line: object) => (options.checksums ? addTimesum(jsonOf(line)) : jsonOf(line))
  const append = (line: LedgerLine, checksum: LedgerChecksum) => {
    const text = textOf(line)
    addToChecksum(checksum, text)
    steps.append(text)
  }
  let isPaid = false
  const flush = () => {
    for (const file of [steps, events, records]) file.flush()
  }
  const closeSteps = () => {
    steps.close()
    held.release()
  }
  return {
    blobs,
    outputs: openOutputFiles(folder, { onStorageError, assertWritable }),
    step: (step, checksum) => append(packStep(step, blobs), checksum),
    event: (trial, key, event) => events.append(textOf({ ...event, trial, key })),
    async intent(intent, checksum) {
      isPaid = true
      append(intent, checksum)
      // Calls that begin while another sync runs share the next one. To wait for more of them would delay each step of a graph.
      await steps.sync()
    },
    callEnded() {
      steps.flush()
      steps.sync(restMs).catch(() => {})
    },
    syncSteps: () => steps.sync(),
    record(record) {
      const text = recordLine(record)
      if (isPaid) return held.add(text)
      records.append(text)
      // In real time trials take long, and `bench runs` counts records while they do.
      if (options.checksums) records.flush()
    },
    flushRecords: () => records.flush(),
    async persist() {
      flush()
      if (!options.checksums && !isPaid) return
      await steps.sync()
      await records.sync()
    },
    flush,
    close() {
      const failed = [closeSteps, events.close, records.close].flatMap(failureOf)
      if (failed.length > 0) throw failed[0]
    },
  }
}

/** Returns the line of a record, with its checksum. */
export const recordLine = (record: TrialRecord): string => addTimesum(jsonOf(record), '}}')

/** Returns a line as JSON that strict readers, such as jq, take: texts of a method may hold halves of surrogate pairs. */
function jsonOf(line: object): string {
  const json = JSON.stringify(line)
  // Of a surrogate, only a half is escaped. The text itself may hold such an escape, too.
  return /\\ud[89a-f]/.test(json) ? JSON.stringify(wellFormed(line)) : json
}

type Files = Record<keyof typeof journalFiles, LineFile>

function openFiles(folder: string, others: LineFileEvents): Files {
  const open = (file: keyof Files, events?: LineFileEvents) =>
    openLineFile(join(folder, journalFiles[file]), { ...events, ...others })
  // Records may be written only after the steps of their trials. They are flushed right after each batch of steps, so that the
  // batch of steps is full. A failure of the records file is reported by that file and must not lose steps.
  const steps = open('steps', { afterWrite: () => void failureOf(() => records.flush()) })
  const records: LineFile = open('records', { beforeWrite: () => steps.flush() })
  return { steps, events: open('events'), records }
}

/** Adds a line of the ledger, as written in the file, to the checksum of its trial. */
export function addToChecksum(checksum: LedgerChecksum, line: string | Buffer): void {
  checksum.lines++
  checksum.sum = crc32(line, checksum.sum)
}

/** Returns the step that takes back earlier steps of a trial, given by name: they no longer answer, but stay in the bill of the run. */
export const voidStep = (
  trial: string,
  { key, attempt = 1, hash }: { key: string; attempt?: number; hash: string },
  keys: string[],
  reason: string,
): VoidStep => ({
  ...{ trial, key, attempt, kind: 'void', payer: 'void', hash, at: 0, durationMs: 0, keys, reason },
})

/** Returns the error of an effect in a list, so that one file that fails to close does not keep the others open. */
function failureOf(effect: () => void): unknown[] {
  try {
    effect()
    return []
  } catch (error) {
    return [error]
  }
}

/** The kinds of steps whose texts may be long. */
const withTexts: ReadonlySet<Step['kind']> = new Set(['ask', 'check', 'deed', 'run', 'stage', 'tool'])

function packStep(step: Step, blobs: Blobs): Step {
  return withTexts.has(step.kind) ? mapTexts(step, (text) => packText(text, blobs)) : step
}

/** Replaces the blob names in a step by their texts. */
export function unpackStep(step: Step, blobs: Blobs): Step {
  return withTexts.has(step.kind) ? mapTexts(step, (text) => unpackText(text, blobs)) : step
}

/** Returns a text of a line: itself, or the content of the blob that it names. Throws `UserError` if the blob is missing. */
export function unpackText(text: string, blobs: Blobs): string {
  const hash = blobName.exec(text)?.[1]
  if (!hash) return text
  const stored = blobs.get(hash)
  if (stored === undefined) throw blobError(join(blobs.folder, hash), 'is missing')
  return stored
}

/** Returns a text as it is written in a line: the text itself, or the name of its new blob. */
export function packText(text: string, blobs: Blobs): string {
  // A text that looks like a blob name would be read as one.
  return text.length > longestText || blobName.test(text) ? `blob:${blobs.put(text)}` : text
}

const longestText = 64 * 1024
const blobName = /^blob:([0-9a-f]{64})$/
