import { join } from 'node:path'
import { type Intent, LedgerLine, type Step } from '../../schema/ledger/step.ts'
import type { Blobs } from './blobs.ts'
import { addToChecksum, emptyLedgerChecksum, type LedgerChecksum } from './checksum.ts'
import { journalFiles, unpackStep } from './journal.ts'
import { damagedLine, type LinePlace, parseLine, readJournalLines, stepRemedy } from './jsonl.ts'
import { openLineReader } from './lines.ts'

/** What a trial did before: its steps by key and attempt, and paid calls whose result was never seen. */
export interface PastTrial {
  steps: Map<string, Step>
  /** Intents without a result, in order. */
  lost: Intent[]
  /** How often the trial was begun anew after an error. */
  reruns: number
  /** Its lines in the ledger. */
  checksum: LedgerChecksum
  /** On replay: the error that the trial ended in. What was cut off by it has no step. */
  broke?: string
}

/** Finds a trial's earlier steps. Holds where they stand, never their text. */
export interface JournalIndex {
  readTrial(trial: string): PastTrial
  close(): void
}

/** What names a step within its trial. */
export const stepName = (key: string, attempt: number) => `${key}/${attempt}`

/**
 * Indexes the steps of a run folder for the trials that are wanted: all on replay, on resume those without a record.
 * `known` are the trials of the plan; `check` sees every line. Throws `UserError` with file and line for one that is damaged, or of no trial.
 */
export function indexJournal(
  folder: string,
  blobs: Blobs,
  wanted: (trial: string) => boolean,
  known: (trial: string) => boolean = () => true,
  check?: { line(trial: string, text: string): void },
): JournalIndex {
  const path = join(folder, journalFiles.steps)
  // Offset, length and number in turns: three numbers a step instead of an object.
  const places = new Map<string, number[]>()
  for (const { text, number, offset, length, place: at } of readJournalLines(path, stepRemedy)) {
    const trial = trialOf(text, at)
    if (!known(trial)) throw damagedLine(`is of no trial of this run: ${trial}`, at)
    check?.line(trial, text)
    if (!wanted(trial)) continue
    const place = places.get(trial)
    if (place) place.push(offset, length, number)
    else places.set(trial, [offset, length, number])
  }
  const reader = places.size > 0 ? openLineReader(path) : undefined

  return {
    readTrial(trial) {
      const steps = new Map<string, Step>()
      const assertNew = rejectDuplicateCalls()
      const results = new Map<string, number>()
      const intents: Intent[] = []
      const checksum = emptyLedgerChecksum()
      let reruns = 0
      const place = places.get(trial) ?? []
      for (let i = 0; i < place.length; i += 3) {
        const line = reader?.read(place[i] as number, place[i + 1] as number) ?? ''
        const at = { where: `${path}:${place[i + 2]}`, remedy: stepRemedy }
        addToChecksum(checksum, line)
        const entry = parseLine(line, LedgerLine, at)
        if (entry.kind === 'intent') {
          intents.push(entry)
          continue
        }
        const step = unpackStep(entry, blobs)
        const name = stepName(step.key, step.attempt)
        assertNew(step, at)
        if (step.kind === 'void') {
          for (const voided of step.keys) steps.delete(voided)
          if (step.rerun) reruns++
        } else if (step.payer !== 'void') steps.set(name, step)
        if (step.kind === 'ask') results.set(name, (results.get(name) ?? 0) + 1)
      }
      const lost = intents.filter(({ key, attempt }) => {
        const name = stepName(key, attempt)
        const left = results.get(name) ?? 0
        results.set(name, left - 1)
        return left <= 0
      })
      return { steps, lost, reruns, checksum }
    },
    close: () => reader?.close(),
  }
}

/** Ids of all trials that have begun, in the order of their first line. Throws `UserError` for a damaged line. */
export function journaledTrials(folder: string): string[] {
  const path = join(folder, journalFiles.steps)
  const trials = new Set<string>()
  for (const { text, place } of readJournalLines(path, stepRemedy)) trials.add(trialOf(text, place))
  return [...trials]
}

/** All steps in the order of the file, long texts left in their blobs. Throws `UserError` for a damaged line. */
export function* allSteps(folder: string): Generator<Step> {
  for (const line of readLedger(folder)) if (line.kind !== 'intent') yield line
}

/** All steps and all intents, each intent before its step. Throws `UserError` for a damaged line. */
export function* readLedger(folder: string): Generator<LedgerLine> {
  const assertNew = rejectDuplicateCalls()
  for (const { text, place } of readJournalLines(join(folder, journalFiles.steps), stepRemedy)) {
    const line = parseLine(text, LedgerLine, place)
    if (line.kind !== 'intent') assertNew(line, place)
    yield line
  }
}

/** All steps of one trial in the order of the file, voided and lost ones included. Throws `UserError` for a damaged line. */
export function* stepsOf(folder: string, trial: string, blobs: Blobs): Generator<Step> {
  const path = join(folder, journalFiles.steps)
  const assertNew = rejectDuplicateCalls()
  for (const { text, place } of readJournalLines(path, stepRemedy)) {
    if (trialOf(text, place) !== trial) continue
    const line = parseLine(text, LedgerLine, place)
    if (line.kind === 'intent') continue
    assertNew(line, place)
    yield unpackStep(line, blobs)
  }
}

/** Refuses a call that stands in the ledger twice: it would be on the bill twice. */
function rejectDuplicateCalls(): (step: Step, place: LinePlace) => void {
  const isDuplicate = detectDuplicateCalls()
  return (step, place) => {
    if (!isDuplicate(step)) return
    const name = `${step.trial} ${stepName(step.key, step.attempt)}`
    const fix =
      'Two bench worked on this folder at once. bench run --resume RUN --repair bills the second as void, and says so.'
    throw damagedLine(`is a second step of the name ${name}`, { ...place, remedy: fix })
  }
}

/** Takes the steps in the order of the file, and tells of each whether it is a call that stands there already. */
export function detectDuplicateCalls(): (step: Step) => boolean {
  const names = new Set<string>()
  return (step) => {
    if (step.kind === 'void') for (const name of step.keys) names.delete(`${step.trial} ${name}`)
    if (step.kind !== 'ask' || step.payer === 'void') return false
    const name = `${step.trial} ${stepName(step.key, step.attempt)}`
    const isDuplicate = names.has(name)
    names.add(name)
    return isDuplicate
  }
}

/** Every line of the ledger begins with its trial, so that it is found without parsing the line. */
export function trialOf(line: string, place: LinePlace): string {
  const start = '{"trial":"'.length
  const end = line.indexOf('"', start)
  if (!line.startsWith('{"trial":"') || !line.endsWith('}') || end < 0)
    throw damagedLine(`is none of bench's: ${JSON.stringify(line.slice(0, 60))}`, place)
  return line.slice(start, end)
}
