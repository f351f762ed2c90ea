import { join } from 'node:path'
import type { StorageError } from '../errors.ts'
import type { TrialRecord } from '../schema/record.ts'
import type { Intent, Step } from '../schema/step.ts'
import type { TraceEvent } from '../strategy.ts'
import { type Blobs, openBlobs } from './blobs.ts'
import { type LineFile, openLineFile } from './durable.ts'
import { seal } from './seal.ts'

/** The files of a run folder that are appended to. */
export const journalFiles = {
  steps: 'steps.jsonl',
  intents: 'intents.jsonl',
  events: 'events.jsonl',
  records: 'records.jsonl',
} as const

/** Appends what happens to a run folder. Paid effects are synced, free ones go in batches; see the rules of the door. */
export interface Journal {
  blobs: Blobs
  step(step: Step): void
  /** `trial` null: of the whole run. */
  event(trial: string | null, key: string, event: TraceEvent): void
  /** Durable before a paid call goes out, together with all steps of its trial before it. */
  intent(intent: Intent): Promise<void>
  /** Resolves when all steps so far are durable: before a paid result is used. */
  syncSteps(): Promise<void>
  /** After its steps. */
  record(record: TrialRecord): void
  /** Writes the records so far: a process that is killed loses none of them. */
  flushRecords(): void
  /** Resolves when all records so far are durable. */
  syncRecords(): Promise<void>
  flush(): void
  close(): void
}

/**
 * Opens the files of a run folder for appending, and repairs what a crash has torn. `onBroken` is told when one of them
 * cannot be written: whatever is journaled after that may be missing, so nothing may lean on it. With `sealed`, each line
 * carries its own checksum.
 */
export function openJournal(
  folder: string,
  options: { sealed?: boolean; onBroken?: ((error: StorageError) => void) | undefined } = {},
): Journal {
  const { onBroken } = options
  const line = options.sealed ? (entry: object) => seal(JSON.stringify(entry)) : JSON.stringify
  const open = (file: string, beforeWrite?: () => void) =>
    openLineFile(join(folder, file), { beforeWrite, onBroken })
  const blobs = openBlobs(join(folder, 'blobs'), onBroken)
  const steps = open(journalFiles.steps)
  const intents = open(journalFiles.intents)
  const events = open(journalFiles.events)
  // A batch of records may be written only when its trials' steps have been.
  const records = open(journalFiles.records, () => steps.flush())
  const all: LineFile[] = [steps, intents, events, records]
  // Trials with steps since the last sync that was asked for, kept from the first paid call on; before it nobody knows.
  let touched: Set<string> | undefined
  let syncing: Promise<void> = Promise.resolve()
  const syncSteps = () => {
    touched?.clear()
    syncing = steps.sync()
    return syncing
  }
  return {
    blobs,
    step(step) {
      touched?.add(step.trial)
      steps.append(line(packStep(step, blobs)))
    },
    event: (trial, key, event) => events.append(line({ ...event, trial, key })),
    async intent(intent) {
      intents.append(line(intent))
      if (!touched || touched.has(intent.trial)) {
        touched ??= new Set()
        syncSteps()
      }
      await Promise.all([syncing, intents.sync()])
    },
    syncSteps,
    record: (record) => {
      const text = JSON.stringify(record)
      records.append(options.sealed ? seal(text, '}}') : text)
    },
    flushRecords: () => records.flush(),
    syncRecords: () => records.sync(),
    flush: () => {
      for (const file of all) file.flush()
    },
    close: () => {
      const failed = all.flatMap((file) => failureOf(() => file.close()))
      if (failed.length > 0) throw failed[0]
    },
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
export function packStep(step: Step, blobs: Blobs): Step {
  return mapTexts(step, blobs.pack)
}

/** Puts the texts of blobs back into a step. */
export function unpackStep(step: Step, blobs: Blobs): Step {
  return mapTexts(step, blobs.unpack)
}

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
