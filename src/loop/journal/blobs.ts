import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import type { RunStep, StageDeed, StageStep } from '../../schema/ledger/stage-step.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { type StorageError, UserError } from '../../text/errors.ts'
import { storageError } from './storage.ts'

/** Texts in a folder, each in a file that is named by its hash. */
export interface Blobs {
  folder: string
  /** Stores a text durably and returns its hash. */
  put(text: string): string
  /** Returns a stored text by its hash; undefined if there is none. Throws `UserError` if the file was changed. */
  get(hash: string): string | undefined
}

/** Opens the blobs of a folder, which is created with the first blob. `onStorageError` is called if a blob cannot be written. */
export function openBlobs(folder: string, onStorageError?: (error: StorageError) => void): Blobs {
  const put = (text: string) => {
    const hash = sha256(text)
    const path = join(folder, hash)
    if (existsSync(path)) return hash
    try {
      mkdirSync(folder, { recursive: true })
      writeAtomic(path, text, { durable: true })
    } catch (error) {
      const broken = storageError(path, error)
      onStorageError?.(broken)
      throw broken
    }
    return hash
  }
  const get = (hash: string) => {
    const path = join(folder, hash)
    if (!existsSync(path)) return undefined
    const text = readFileSync(path, 'utf8')
    if (sha256(text) !== hash) throw blobError(path, 'was changed after it had been written')
    return text
  }
  return { folder, put, get }
}

/** Returns the error for a blob that is needed and cannot be used. */
export const blobError = (where: string, what: string) =>
  new UserError({ where, what, fix: 'Restore the file from a copy of the run folder.' })

type MapText = (text: string) => string

/** Returns a stage's step with each of its long texts mapped. */
export function mapStageTexts(step: StageStep, map: MapText): StageStep {
  return {
    ...step,
    before: map(step.before),
    ...(step.after !== undefined && { after: map(step.after) }),
    output: map(step.output),
    ...(step.log && { log: step.log.map((deed) => mapDeed(deed, map)) }),
  }
}

/** Returns the step of a tool's run with each of its long texts mapped. */
export const mapRunTexts = (step: RunStep, map: MapText): RunStep => ({
  ...step,
  ...{ stdout: map(step.stdout), stderr: map(step.stderr), files: mapValues(step.files, map) },
})

const mapValues = (texts: Readonly<Record<string, string>>, map: MapText) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(text)]))

function mapDeed(deed: StageDeed, map: MapText): StageDeed {
  if ('run' in deed && deed.run.files) return { run: { ...deed.run, files: mapValues(deed.run.files, map) } }
  if (!('ask' in deed)) return deed
  const { prompt, system, show } = deed.ask
  return {
    ask: {
      ...deed.ask,
      prompt: map(prompt),
      ...(system !== undefined && { system: map(system) }),
      ...(show && { show: mapValues(show, map) }),
    },
  }
}

/** Maps the long texts of a tool call: its arguments, its result, and the note that it keeps. */
export const mapToolTexts = ({ call, result, note, ...step }: ToolStep, map: MapText): ToolStep => ({
  ...step,
  call: { ...call, arguments: map(call.arguments) },
  result: map(result),
  ...(note && { note: { ...note, text: map(note.text) } }),
})

/** Maps the long texts of a turn that asks for calls: their arguments, and the message as the provider wants it back. */
export function mapTurnTexts(step: AskStep, map: MapText): AskStep {
  const { toolCalls, message } = step
  if (!toolCalls) return step
  return {
    ...step,
    toolCalls: toolCalls.map((call) => ({ ...call, arguments: map(call.arguments) })),
    ...(message && { message: mapAll(message, map) }),
  }
}

function mapAll<Value>(value: Value, map: MapText): Value {
  if (typeof value === 'string') return map(value) as Value
  if (Array.isArray(value)) return value.map((item) => mapAll(item, map)) as Value
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapAll(item, map)])) as Value
}
