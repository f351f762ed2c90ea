import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Intent, Step } from '../schema/step.ts'
import type { Blobs } from './blobs.ts'
import { journalFiles, unpackStep } from './journal.ts'
import { openLineReader, readLines } from './lines.ts'

/** What a trial did before: its steps by key and attempt, and paid calls whose result was never seen. */
export interface Recorded {
  steps: Map<string, Step>
  /** Intents without a result, in order. */
  lost: Intent[]
}

/** Finds a trial's earlier steps. Holds where they stand, never their text. */
export interface JournalIndex {
  recorded(trial: string): Recorded
  close(): void
}

/** What names a step within its trial. */
export const stepName = (key: string, attempt: number) => `${key}/${attempt}`

/**
 * Indexes the steps of a run folder for the trials that are wanted: all on replay, on resume those without a record.
 */
export function indexJournal(folder: string, blobs: Blobs, wanted: (trial: string) => boolean): JournalIndex {
  const path = join(folder, journalFiles.steps)
  // Offset and length in turns: two numbers a step instead of an object.
  const places = new Map<string, number[]>()
  let line = 0
  for (const { text, offset, length } of readLines(path)) {
    line++
    const trial = trialOf(text, `${path}:${line}`)
    if (!wanted(trial)) continue
    const place = places.get(trial)
    if (place) place.push(offset, length)
    else places.set(trial, [offset, length])
  }
  const intents = new Map<string, Intent[]>()
  const intentsPath = join(folder, journalFiles.intents)
  line = 0
  for (const { text } of readLines(intentsPath)) {
    line++
    if (!wanted(trialOf(text, `${intentsPath}:${line}`))) continue
    const intent = JSON.parse(text) as Intent
    const before = intents.get(intent.trial)
    if (before) before.push(intent)
    else intents.set(intent.trial, [intent])
  }
  const reader = places.size > 0 ? openLineReader(path) : undefined

  return {
    recorded(trial) {
      const steps = new Map<string, Step>()
      const results = new Map<string, number>()
      const place = places.get(trial) ?? []
      for (let i = 0; i < place.length; i += 2) {
        const line = reader?.read(place[i] as number, place[i + 1] as number) ?? ''
        const step = unpackStep(JSON.parse(line) as Step, blobs)
        const name = stepName(step.key, step.attempt)
        if (step.kind === 'void') for (const voided of step.keys) steps.delete(voided)
        else if (step.payer !== 'void') steps.set(name, step)
        if (step.kind === 'ask') results.set(name, (results.get(name) ?? 0) + 1)
      }
      const lost = (intents.get(trial) ?? []).filter(({ key, attempt }) => {
        const name = stepName(key, attempt)
        const left = results.get(name) ?? 0
        results.set(name, left - 1)
        return left <= 0
      })
      return { steps, lost }
    },
    close: () => reader?.close(),
  }
}

/** Ids of all trials that have a step, in the order of their first. */
export function journaledTrials(folder: string): string[] {
  const trials = new Set<string>()
  for (const { text } of readLines(join(folder, journalFiles.steps))) trials.add(trialOf(text))
  return [...trials]
}

/** All steps of some kinds, in the order of the file. */
export function* allSteps(folder: string, blobs: Blobs, kinds: readonly Step['kind'][]): Generator<Step> {
  for (const { text } of readLines(join(folder, journalFiles.steps))) {
    if (!kinds.some((kind) => text.includes(`"kind":"${kind}"`))) continue
    const step = JSON.parse(text) as Step
    if (kinds.includes(step.kind)) yield unpackStep(step, blobs)
  }
}

/** All steps of one trial in the order of the file, voided and lost ones included. */
export function* stepsOf(folder: string, trial: string, blobs: Blobs): Generator<Step> {
  for (const { text } of readLines(join(folder, journalFiles.steps)))
    if (trialOf(text) === trial) yield unpackStep(JSON.parse(text) as Step, blobs)
}

/** Every line of the journal begins with its trial, so that it is found without parsing the line. */
function trialOf(line: string, where = 'journal'): string {
  const start = '{"trial":"'.length
  if (line.startsWith('{"trial":"') && line.endsWith('}')) return line.slice(start, line.indexOf('"', start))
  throw new UserError({
    where,
    what: `a line is none of bench's: ${JSON.stringify(line.slice(0, 60))}`,
    fix: 'Remove the line from the run folder; what it stood for is done again.',
  })
}
