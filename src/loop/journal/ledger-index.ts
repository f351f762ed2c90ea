import { join } from 'node:path'
import { valueAt } from '../../base/grouping.ts'
import type { ToolRun } from '../../schema/ledger/record.ts'
import { type AskStep, type Intent, LedgerLine, type Step } from '../../schema/ledger/step.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import type { SandboxLevel } from '../../schema/sandbox-level.ts'
import type { ErrorLocation } from '../../user-code/error-location.ts'
import type { Blobs } from './blobs.ts'
import { emptyLedgerChecksum, type LedgerChecksum } from './checksum.ts'
import { addToChecksum, journalFiles, unpackStep } from './journal.ts'
import { damagedLine, type LinePlace, parseLine, readJournalLines, stepRemedy } from './jsonl.ts'
import { openLineReader } from './lines.ts'

/** The recorded work of a trial: its steps by key and attempt, and paid calls whose result was lost. */
export interface PastTrial {
  steps: Map<string, Step>
  /** Ids of lines of people.jsonl that a step took, steps that are void by now included. */
  taken: Set<string>
  /** Intents without a result, in order. */
  lost: Intent[]
  /** A session diverged from the journal and went on: events of before stay beside those of after. */
  diverged: boolean
  /** How often the trial was run again after an error. */
  reruns: number
  /** Checksum of its lines in the ledger. */
  checksum: LedgerChecksum
  /** On replay: the error in which the trial ended. Work that the error cut off has no step. */
  broke?: string
}

/** What a trial found in the journal, and what it wrote. */
export interface TrialJournal {
  /** This trial's steps from earlier sessions. */
  recorded?: PastTrial | undefined
  /** Checksum of its lines in the ledger, including those of earlier sessions. */
  ledgerChecksum: LedgerChecksum
  /** Every attempt of every ask, and where its branch was opened, for the phase history and the fidelity check. */
  asked: {
    step: AskStep
    branch: string
    openedAt: readonly number[]
    stageAt?: number | undefined
    text: string
  }[]
  /** Every call of a tool. */
  toolSteps: ToolStep[]
  /** Runs of tools by the stages that ended, with the clock at their end. */
  toolRuns: { at: number; key: string; savings: ToolRun[] }[]
  /** How many requests of programs that ask models themselves the gateway did not let pass. */
  refusedRequests: number
  labelled: boolean
  /** An agent gave a reply that must not be journaled; later prompts may contain it. */
  secret: boolean
  /** The weakest sandbox level at which code of this trial ran; undefined when none ran. */
  level?: SandboxLevel | undefined
  divergences: string[]
  /** Asks that a resumed trial begins anew, since the state of a server was lost: a sentence each. */
  begunAnew: string[]
  /** The outputs that are in the run folder, by path. */
  savedOutputs: Map<string, object>
  /** Paths of the steps of graphs that failed or were skipped. */
  unfinishedSteps: Set<string>
  /** Where a user's code threw, if that ended the trial. */
  thrownAt?: ErrorLocation | undefined
}

/** Begins what a trial writes, after what earlier sessions left of it. */
export const openTrialJournal = (recorded: PastTrial | undefined): TrialJournal => ({
  recorded,
  ledgerChecksum: recorded?.checksum ?? emptyLedgerChecksum(),
  asked: [],
  toolSteps: [],
  toolRuns: [],
  refusedRequests: 0,
  labelled: false,
  secret: false,
  divergences: [],
  begunAnew: [],
  savedOutputs: new Map(),
  unfinishedSteps: new Set(),
})

/** Returns the name of a step, which is unique within its trial. */
export const stepName = (key: string, attempt: number) => `${key}/${attempt}`

/**
 * Indexes the steps of the `wanted` trials of a run folder: of all trials on replay, of those without a record on resume.
 * `known` tests whether a trial is in the plan; `check` gets every line. Throws `UserError` with file and line for a damaged line
 * and for a line of an unknown trial.
 */
export function indexJournal(
  folder: string,
  blobs: Blobs,
  wanted: (trial: string) => boolean,
  known: (trial: string) => boolean = () => true,
  check?: { line(trial: string, text: string): void },
): { readTrial(trial: string): PastTrial; close(): void } {
  const path = join(folder, journalFiles.steps)
  // Offset, length and line number of each step, one after the other.
  const places = new Map<string, number[]>()
  for (const { text, number, offset, length, place: at } of readJournalLines(path, stepRemedy)) {
    const trial = trialOf(text, at)
    if (!known(trial)) throw damagedLine(`names a trial that is not in this run: ${trial}`, at)
    check?.line(trial, text)
    if (!wanted(trial)) continue
    valueAt(places, trial, () => []).push(offset, length, number)
  }
  const reader = places.size > 0 ? openLineReader(path) : undefined

  return {
    readTrial(trial) {
      const steps = new Map<string, Step>()
      const taken = new Set<string>()
      const assertNew = rejectDuplicateCalls()
      const results = new Map<string, number>()
      const intents: Intent[] = []
      const checksum = emptyLedgerChecksum()
      let reruns = 0
      let diverged = false
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
        for (const id of takenBy(step)) taken.add(id)
        if (step.kind === 'void') {
          for (const voided of step.keys) steps.delete(voided)
          if (step.rerun) reruns++
          diverged = !step.rerun
        } else if (step.payer !== 'void') steps.set(name, step)
        if (step.kind === 'ask') results.set(name, (results.get(name) ?? 0) + 1)
      }
      const lost = intents.filter(({ key, attempt }) => {
        const name = stepName(key, attempt)
        const left = results.get(name) ?? 0
        results.set(name, left - 1)
        return left <= 0
      })
      return { steps, taken, lost, reruns, diverged, checksum }
    },
    close: () => reader?.close(),
  }
}

function takenBy(step: Step): string[] {
  if (step.kind === 'approval') return step.answer === undefined ? [] : [step.answer]
  return step.kind === 'state' ? (step.guidance ?? []).map(({ id }) => id) : []
}

/** Returns the ids of all trials that have begun, in the order of their first line. Throws `UserError` for a damaged line. */
export function journaledTrials(folder: string): string[] {
  const path = join(folder, journalFiles.steps)
  const trials = new Set<string>()
  for (const { text, place } of readJournalLines(path, stepRemedy)) trials.add(trialOf(text, place))
  return [...trials]
}

/** Reads all steps in the order of the file; long texts stay in their blobs. Throws `UserError` for a damaged line. */
export function* allSteps(folder: string): Generator<Step> {
  for (const line of readLedger(folder)) if (line.kind !== 'intent') yield line
}

/** Reads all steps and intents; each intent comes before its step. Throws `UserError` for a damaged line. */
export function* readLedger(folder: string): Generator<LedgerLine> {
  const assertNew = rejectDuplicateCalls()
  for (const { text, place } of readJournalLines(join(folder, journalFiles.steps), stepRemedy)) {
    const line = parseLine(text, LedgerLine, place)
    if (line.kind !== 'intent') assertNew(line, place)
    yield line
  }
}

/** Reads all steps of one trial in the order of the file, voided and lost ones included. Throws `UserError` for a damaged line. */
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

/** Returns a function that throws `UserError` for a step whose call is in the ledger already, since it would be billed twice. */
function rejectDuplicateCalls(): (step: Step, place: LinePlace) => void {
  const isDuplicate = detectDuplicateCalls()
  return (step, place) => {
    if (!isDuplicate(step)) return
    const name = `${step.trial} ${stepName(step.key, step.attempt)}`
    const fix =
      'Two processes of bench worked on this folder at the same time. bench run --resume RUN --repair bills the second call as void.'
    throw damagedLine(`repeats the call ${name}`, { ...place, remedy: fix })
  }
}

/** Returns a function that takes the steps in the order of the file and returns whether a step repeats an earlier call. */
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

/** Returns the trial of a line of the ledger without parsing it: every line begins with its trial. Throws `UserError`. */
export function trialOf(line: string, place: LinePlace): string {
  const start = '{"trial":"'.length
  const end = line.indexOf('"', start)
  if (!line.startsWith('{"trial":"') || !line.endsWith('}') || end < 0)
    throw damagedLine(`is not a line written by bench: ${JSON.stringify(line.slice(0, 60))}`, place)
  return line.slice(start, end)
}
