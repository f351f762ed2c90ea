import type { Checkpoint, Machine } from '../../schema/machine/machine-file.ts'
import type {
  AgentRun,
  MachineRecord,
  MachineSpending,
  StateVisit,
} from '../../schema/machine/machine-record.ts'
import type { Spent, StrategyContext, StrategyResult } from '../../strategy.ts'
import { sha256 } from '../../text/canonical-json.ts'
import type { LimitError } from '../../text/errors.ts'
import type { LetGo, Transition } from './breaker.ts'
import { createOutputs, type MachineOutputs, type Output } from './machine-outputs.ts'

/** The context of a strategy that runs a machine, or of one of its branches. */
export type Context = StrategyContext<string, unknown>

/** What a machine runs on: `only` runs one state alone, on texts by path. */
export interface MachineOptions {
  machine: Machine
  /** The file or the name that the method was given. */
  workflow: string
  only?: string | undefined
  inputs?: Readonly<Record<string, string>> | undefined
}

/** How a machine ends. */
export type End = Pick<StrategyResult, 'stopReason' | 'detail'>

/** The transition that a state takes. */
export interface Outcome {
  result: string
  next: string
}

/** A machine at work in a trial. */
export interface MachineRun {
  context: Context
  machine: Machine
  record: MachineRecord
  outputs: MachineOutputs
  transitions: (Transition & { result: string })[]
  letGo: LetGo
  /** Times in ms of which the orchestrator was warned. */
  warned: Set<number>
  verdicts: Verdict[]
  /** How many verdicts were compared with all before them. */
  comparedVerdicts: number
  /** The output that the orchestrator chose, and the number of visits by then. */
  chosen: { output: Output; order: number } | undefined
  /** Whether a person's abort was the last word of an approval. */
  isAborted: boolean
  /** The files of the task, as the machine found them. */
  taskFiles: ReadonlyMap<string, string>
  /** The trial's clock when the machine began. */
  startedAt: number
  /** Whether any agent has given a usable reply. */
  hasAnswer: boolean
  /** The first failure of an agent. */
  failure: Error | undefined
  /** The limit of the trial that was reached. */
  limit: LimitError | undefined
}

/** Begins a machine in a trial. */
export function beginMachine(context: Context, { machine, workflow, inputs }: MachineOptions): MachineRun {
  const { name, digest, personas } = machine
  return {
    ...{ context, machine, outputs: createOutputs(context, machine, inputs) },
    record: {
      ...{ name, workflow, digest },
      personas: Object.fromEntries(Object.entries(personas).map(([id, { sha256 }]) => [id, sha256])),
      ...{ visits: [], breaks: [], decisions: [], gates: [], scores: [], guidance: [], approvals: [] },
      ...{ ended: null, delivered: null },
    },
    ...{ transitions: [], letGo: { states: new Map(), rules: new Map() } },
    ...{ warned: new Set(), verdicts: [], comparedVerdicts: 0 },
    taskFiles: new Map(context.workspace.list().map((path) => [path, context.workspace.read(path) ?? ''])),
    ...{ startedAt: context.now(), hasAnswer: false, failure: undefined, limit: undefined },
    ...{ chosen: undefined, isAborted: false },
  }
}

/** Returns the milliseconds that a machine has run, on the clock of the branch. */
export const elapsedOf = (run: MachineRun, context: Context = run.context): number =>
  context.now() - run.startedAt

/** Returns the visit that is under way, or the last one. */
export function currentVisit({ record }: MachineRun): StateVisit {
  const visit = record.visits.at(-1)
  if (!visit) throw new Error('the machine has entered no state')
  return visit
}

/** Whether the orchestrator is asked at a checkpoint. It is always asked about a rule that broke. */
export const isWatched = ({ machine }: MachineRun, checkpoint: Checkpoint): boolean =>
  checkpoint === 'loop_warning' || machine.orchestrator.checkpoints.includes(checkpoint)

const previewWords = 30

/** Returns what the record keeps of an output: the number of its words, the first of them, and its hash. */
export function outputFacts(path: string, text: string): NonNullable<AgentRun['output']> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const preview = words.slice(0, previewWords).join(' ')
  return {
    ...{ path, words: words.length, sha256: sha256(text) },
    preview: words.length > previewWords ? `${preview} …` : preview,
  }
}

/** Returns what was spent between two moments. A sum is null if some call between them did not report its part. */
export function spentBetween(before: Spent, after: Spent): MachineSpending {
  const added = (key: 'input' | 'output' | 'costUsd') => {
    if (after.unreported[key] > before.unreported[key]) return null
    // Sums of dollars have the noise of binary fractions.
    return Math.max(0, Number((after.reported[key] - before.reported[key]).toFixed(10)))
  }
  return {
    calls: after.calls - before.calls,
    ...{ input: added('input'), output: added('output'), costUsd: added('costUsd') },
  }
}

/**
 * Returns the output that is handed in: what the orchestrator chose, unless the output that the machine delivers was written
 * since; else that output. Without `deliver` it is what a `produce` agent wrote last: of a fan-out, the first in its order.
 */
export function deliveredOutput({ machine, outputs, chosen }: MachineRun): Output | undefined {
  const { written } = outputs
  const own =
    machine.deliver === undefined
      ? lastProduced(written)
      : (written.findLast(({ path }) => path === machine.deliver) ?? outputs.find(machine.deliver))
  // What was written in the visit of the choice, or before, is older than it.
  const isOlder = chosen && (own?.order ?? 0) <= chosen.order
  return isOlder ? chosen.output : own
}

function lastProduced(written: readonly Output[]): Output | undefined {
  const last = written.findLast(({ work }) => work)
  return last && written.find(({ work, order }) => work && order === last.order)
}

/** Hands in an output: takes over its author's files. Returns the answer. */
export function handIn({ context, limit }: MachineRun, { text, work }: Output): string {
  // A limit of the trial refuses every change of files.
  if (work && !limit) context.workspace.adopt(work.workspace)
  return work?.reply ?? text
}

type From = MachineRecord['guidance'][number]['from']

/** Keeps guidance for the next visit of a state. Empty texts are none. */
export function addGuidance({ record }: MachineRun, state: string, from: From, text: string): void {
  if (text.trim() !== '') record.guidance.push({ state, from, text: text.trim(), visit: null })
}

const waitingFor = ({ record }: MachineRun, state: string) =>
  record.guidance.filter((one) => one.state === state && one.visit === null)

const joined = (texts: readonly { text: string }[]) => texts.map(({ text }) => text).join('\n\n')

/** Takes the guidance that waits for a state. This visit alone gets it. */
export function takeGuidance(run: MachineRun, state: string, visit: number): string {
  const waiting = waitingFor(run, state)
  for (const one of waiting) one.visit = visit
  return joined(waiting)
}

/** Returns all guidance that waits, by state. */
export function waitingGuidance(run: MachineRun): Record<string, string> {
  const states = new Set(run.record.guidance.flatMap(({ state, visit }) => (visit === null ? [state] : [])))
  return Object.fromEntries([...states].map((state) => [state, joined(waitingFor(run, state))]))
}

/** Takes over what a person changed in the guidance that waits: new texts count as the person's, a missing state's are gone. */
export function readGuidance(run: MachineRun, given: Readonly<Record<string, unknown>>): void {
  const before = waitingGuidance(run)
  for (const state of Object.keys(before))
    if (!Object.hasOwn(given, state))
      run.record.guidance = run.record.guidance.filter((one) => one.state !== state || one.visit !== null)
  for (const [state, text] of Object.entries(given)) {
    const known = (Object.hasOwn(before, state) && before[state]) || ''
    if (typeof text !== 'string' || text === known || !Object.hasOwn(run.machine.states, state)) continue
    if (known !== '' && !text.startsWith(known))
      run.record.guidance = run.record.guidance.filter((one) => one.state !== state || one.visit !== null)
    addGuidance(run, state, 'person', text.startsWith(known) ? text.slice(known.length) : text)
  }
}

/** A verdict of a gate or an auditor about one version of an output. */
export interface Verdict {
  by: string
  /** With whose verdicts it is compared: of all gates, or of the auditors of one visit. */
  among: string
  path: string
  /** The number of the visit that wrote it. */
  version: number
  decision?: string
  score: number
}
