import { join } from 'node:path'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Intent, LedgerLine, Step } from '../../schema/ledger/step.ts'
import type { TraceEvent } from '../../strategy.ts'
import { type Blobs, blobError, openBlobs } from './blobs.ts'
import { addChecksum, addToChecksum, type LedgerChecksum } from './checksum.ts'
import { holdRecords } from './hold-records.ts'
import { type LineFile, type LineFileEvents, openLineFile } from './line-file.ts'

/** The files of a run folder that are appended to. */
export const journalFiles = {
  steps: 'steps.jsonl',
  events: 'events.jsonl',
  records: 'records.jsonl',
} as const

/** How long a paid call waits for others to share its sync with, where calls are under way; ms. */
const gatherMs = 8

/** How long a paid result may rest before it is synced for its own sake; ms. */
const restMs = 25

/** Appends what happens to a run folder. Paid effects are synced, free ones go in batches; see the rules of the door. */
export interface Journal {
  blobs: Blobs
  /** Counts it in the mark of its trial, which the trial's record bears. */
  step(step: Step, checksum: LedgerChecksum): void
  /** `trial` null: of the whole run. */
  event(trial: string | null, key: string, event: TraceEvent): void
  /** Resolves when a paid call may go out: it is durable, and so is all that was journaled before it. */
  intent(intent: Intent, checksum: LedgerChecksum): Promise<void>
  /**
   * A call with an intent has ended. Its steps are written, so that a crash cannot take them, and are durable before
   * anything outside can depend on them: before the next paid call, before a record, and soon in any case.
   */
  callEnded(): void
  /** Resolves when all steps so far are durable. */
  syncSteps(): Promise<void>
  /** Reaches the file after the steps of its trial; after a paid call, when these are durable. */
  record(record: TrialRecord): void
  /** Writes the records so far whose steps are durable: a process that is killed loses none of them. */
  flushRecords(): void
  /** Resolves when all so far is written, and durable in a run that was paid for. */
  persist(): Promise<void>
  flush(): void
  close(): void
}

/**
 * Opens the files of a run folder for appending, and repairs what a crash has torn. `onStorageError` is told when one of them
 * cannot be written: whatever is journaled after that may be missing, so nothing may lean on it. `assertWritable` throws where nothing
 * may be written any more. With `sealed`, each line
 * carries its own checksum; records always do.
 */
export function openJournal(
  folder: string,
  options: { checksums?: boolean } & Pick<LineFileEvents, 'onStorageError' | 'assertWritable'> = {},
): Journal {
  const { onStorageError, assertWritable } = options
  const { steps, events, records } = openFiles(folder, { onStorageError, assertWritable })
  const blobs = openBlobs(join(folder, 'blobs'), onStorageError)
  const held = holdRecords(steps, records, restMs)
  const textOf = (line: object) =>
    options.checksums ? addChecksum(JSON.stringify(line)) : JSON.stringify(line)
  const append = (line: LedgerLine, checksum: LedgerChecksum) => {
    const text = textOf(line)
    addToChecksum(checksum, text)
    steps.append(text)
  }
  // From the first paid call on.
  let isPaid = false
  let inFlight = 0
  const flush = () => {
    for (const file of [steps, events, records]) file.flush()
  }
  const closeSteps = () => {
    steps.close()
    held.release()
  }
  return {
    blobs,
    step: (step, checksum) => append(packStep(step, blobs), checksum),
    event: (trial, key, event) => events.append(textOf({ ...event, trial, key })),
    async intent(intent, checksum) {
      isPaid = true
      append(intent, checksum)
      // Calls that are under way may soon be followed by others, which then share the sync.
      await steps.sync(inFlight > 0 ? gatherMs : 0)
      inFlight++
    },
    callEnded() {
      inFlight--
      steps.flush()
      steps.sync(restMs).catch(() => {})
    },
    syncSteps: () => steps.sync(),
    record: (record) => (isPaid ? held.add : records.append)(addChecksum(JSON.stringify(record), '}}')),
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

type Files = Record<keyof typeof journalFiles, LineFile>

function openFiles(folder: string, others: LineFileEvents): Files {
  const open = (file: keyof Files, events?: LineFileEvents) =>
    openLineFile(join(folder, journalFiles[file]), { ...events, ...others })
  // Records may be written only when their trials' steps have been. They follow them at once, since steps that had to be
  // written before them would go in two batches that are not full. Where records break they have told so: no step is left out.
  const steps = open('steps', { afterWrite: () => void failureOf(() => records.flush()) })
  const records: LineFile = open('records', { beforeWrite: () => steps.flush() })
  return { steps, events: open('events'), records }
}

/** How the line of a method's effect begins, which took no time unless it says so. */
export function stepHead<Kind extends Step['kind']>(
  { trial, simulated }: { trial: { id: string }; simulated: boolean },
  kind: Kind,
  key: string,
  hash: string,
  at: number,
) {
  return {
    trial: trial.id,
    key,
    attempt: 1,
    kind,
    payer: 'method' as const,
    simulated,
    hash,
    at,
    durationMs: 0,
  }
}

/** One file that cannot be closed well must not keep the others open. */
function failureOf(effect: () => void): unknown[] {
  try {
    effect()
    return []
  } catch (error) {
    return [error]
  }
}

/** Puts long texts of a step into blobs. */
function packStep(step: Step, blobs: Blobs): Step {
  return mapTexts(step, (text) => packText(text, blobs))
}

/** Puts the texts of blobs back into a step. */
export function unpackStep(step: Step, blobs: Blobs): Step {
  return mapTexts(step, (text) => {
    const hash = blobName.exec(text)?.[1]
    if (!hash) return text
    const stored = blobs.get(hash)
    if (stored === undefined) throw blobError(join(blobs.folder, hash), 'is missing')
    return stored
  })
}

/** A text as it stands in a line: itself, or the name of the blob that now holds it. */
export function packText(text: string, blobs: Blobs): string {
  // A short text that looks like a name would be read as one: it becomes a blob, too.
  return text.length > longestText || blobName.test(text) ? `blob:${blobs.put(text)}` : text
}

const longestText = 64 * 1024
const blobName = /^blob:([0-9a-f]{64})$/

function mapTexts(step: Step, map: (text: string) => string): Step {
  if (step.kind === 'check') {
    const output = map(step.output)
    return output === step.output ? step : { ...step, output }
  }
  if (step.kind !== 'ask') return step
  const prompt = map(step.prompt)
  const system = step.system && map(step.system)
  const reply = step.reply && map(step.reply)
  return prompt === step.prompt && system === step.system && reply === step.reply
    ? step
    : { ...step, prompt, system, reply }
}
