import type { BreakerRule } from '../../schema/machine/breaker.ts'
import type { Machine } from '../../schema/machine/machine.ts'
import type { Checkpoint } from '../../schema/machine/machine-file.ts'
import type { MachineRecord, StateVisit } from '../../schema/machine/machine-record.ts'
import type { StrategyContext, StrategyResult } from '../../strategy.ts'
import type { LimitError } from '../../text/errors.ts'
import type { Transition } from './breaker.ts'
import { createOutputs, type MachineOutputs, type Output } from './machine-outputs.ts'
import type { Verdict } from './verdict.ts'

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
  /** How often each rule was let go on. */
  raised: Partial<Record<BreakerRule['rule'], number>>
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
    ...{ transitions: [], raised: {}, warned: new Set(), verdicts: [], comparedVerdicts: 0 },
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
