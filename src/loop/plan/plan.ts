import { type AgentSet, agentSetsOf } from '../../schema/agent/agent-set.ts'
import type { AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { Faults } from '../../schema/agent/faults.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Cell, Method, Trial } from '../../schema/ledger/trial.ts'
import type { Budget, Limits } from '../../schema/limits.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import { digest } from '../../text/canonical-json.ts'
import { orderBlock, orderBlocks } from './block-order.ts'

/** The input of a plan. Each task has its digest, which becomes part of the trial ids, and its limits. */
export interface PlanInput {
  tasks: readonly { ref: string; digest: string; limits: Limits; hasRubric?: boolean }[]
  methods: readonly Method[]
  agents: Readonly<Record<string, string>>
  /** Sets of agents; every method runs with each set. If absent, only `agents` is used. */
  agentSets?: readonly AgentSet[] | undefined
  agentSettings?: AgentSettings | undefined
  /** Who judges the work of tasks with a rubric. */
  judges?: readonly string[] | undefined
  /** The simulated agents' profile; null without one. */
  profile: { name: string; digest: string } | null
  /** Limits of the run; they override the tasks' limits. */
  limits: Limits
  /** Limits that apply if neither the run, the task nor the method sets one. */
  usualLimits?: Limits | undefined
  askLimits?: Budget | undefined
  /** Most retries of an ask. */
  retries?: number | undefined
  faults?: Faults | undefined
  seed: number
  epochs: number
  /** Names of the tasks whose blocks the plan has, in their order; default: all, in the order that the seed draws. */
  blocks?: readonly string[] | undefined
}

/** All trials of a run, in the order in which they start. */
export interface Plan extends Iterable<Trial> {
  readonly length: number
  /** The distinct cells of the trials. */
  readonly cells: readonly Cell[]
  /** Returns the trial at a place, counted from 0. */
  at(place: number): Trial
}

/**
 * Creates the plan. A task with all its epochs, methods and sets of agents is one block. Blocks, and the trials within each
 * epoch of a block, are in seeded random order, so that drift affects all methods alike. Methods that match another method's
 * budget come at the end of their block.
 */
export function makePlan(input: PlanInput): Plan {
  const sets = agentSetsOf(input)
  const rows = input.methods.flatMap((method) =>
    sets.map(({ label, agents, instructions }) => ({
      ...{ method, agents: agentsOf(agents, method), agentSet: label, instructions: instructions?.text },
    })),
  )
  const cells: Cell[] = []
  const trials: Trial[] = []
  for (const task of blocksOf(input)) {
    const block = rows.map((row) => ({ method: row.method, ...makeCell(input, task, row) }))
    cells.push(...block.map(({ cell }) => cell))
    for (const { row, epoch } of orderBlock(block, input, task.ref))
      trials.push({ id: trialId(row.digest, epoch), cell: row.cell, epoch })
  }
  return planOf(trials, cells)
}

function blocksOf({ tasks, blocks, seed }: PlanInput): PlanInput['tasks'] {
  if (!blocks) return orderBlocks(tasks, seed)
  const known = new Map(tasks.map((task) => [task.ref, task]))
  return blocks.flatMap((name) => known.get(name) ?? [])
}

function makeCell(
  input: PlanInput,
  task: PlanInput['tasks'][number],
  {
    method: { agents: _, roles: __, mixes: ___, mechanisms: ____, limits, ...method },
    ...row
  }: Pick<Cell, 'agents' | 'agentSet' | 'instructions'> & { method: Method },
): { cell: Cell; digest: string } {
  const judges = task.hasRubric ? input.judges : undefined
  const cell: Cell = {
    task: task.ref,
    taskDigest: task.digest,
    method: { ...method, options: deepFreeze(method.options) },
    ...row,
    judges,
    agentSettings: settingsOf(input, [...Object.values(row.agents), ...(judges ?? [])]),
    profile: input.profile,
    limits: { ...input.usualLimits, ...task.limits, ...input.limits, ...limits },
    askLimits: input.askLimits,
    retries: input.retries,
    faults: input.faults,
    seed: input.seed,
  }
  const { file: _____, ...own } = method
  return { cell, digest: digest({ ...cell, agentSet: undefined, method: own }) }
}

/** Returns the agents of a method. Cells of a method with the same set of agents share one object, since agents are looked up by it. */
function agentsOf(agents: Cell['agents'], method: Method): Cell['agents'] {
  return method.agents ? { ...agents, ...method.agents } : agents
}

/** Returns the settings of these agents that are part of a trial's id: those that change a request, so neither keys nor windows nor families. */
function settingsOf({ agentSettings = {} }: PlanInput, agents: readonly string[]): AgentSettings | undefined {
  const own = agents.flatMap((name) => {
    const { keyVariable: _, window: __, family: ___, ...setting } = agentSettings[name] ?? {}
    return Object.keys(setting).length > 0 ? [[name, setting] as const] : []
  })
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

/** Copies and freezes a value: all trials of a cell share its options, so a strategy must not change them. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(deepFreeze)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepFreeze(item)]))
  return Object.freeze(copy) as Value
}

/**
 * Returns the id of a trial: 96 bits of the cell's SHA-256, the first 32 of them changed by the epoch. Equal trials of different
 * runs have equal ids.
 */
function trialId(cellDigest: string, epoch: number): string {
  // The factor is odd, so that no two epochs collide, and comes from the golden ratio, so that ids differ in their first digits.
  const first = (Number.parseInt(cellDigest.slice(0, 8), 16) ^ Math.imul(epoch, 0x9e3779b1)) >>> 0
  return first.toString(16).padStart(8, '0') + cellDigest.slice(8, 24)
}

type Recorded = Pick<TrialRecord, 'trial' | 'task' | 'method' | 'agentSet' | 'epoch'>

/**
 * Returns the plan of a run whose tasks, agents or methods were changed: a trial that has a record from an earlier plan stays, in
 * the place of the trial that would follow it. Recorded trials of tasks that are gone come last. `isKnown` tests the name of a task.
 */
export function keepRecorded(
  plan: Plan,
  records: Iterable<Recorded>,
  isKnown: (task: string) => boolean,
): Plan {
  const trials = [...plan]
  const ids = new Set(trials.map(({ id }) => id))
  const places = new Map(trials.map(({ cell, epoch }, place) => [slotOf(cell, epoch), place]))
  for (const { trial: id, task, method, agentSet, epoch } of records) {
    if (ids.has(id) || !isKnown(task)) continue
    const place = places.get(JSON.stringify([refOfVersion(task), method, agentSet, epoch]))
    const like = trials[place ?? 0]?.cell
    if (place !== undefined && like) trials[place] = { id, cell: { ...like, task }, epoch }
    else {
      const cell = plan.cells.find((one) => one.method.label === method && one.agentSet === agentSet)
      if (cell) trials.push({ id, cell: { ...cell, task }, epoch })
    }
  }
  return planOf(trials, plan.cells)
}

/** Returns a plan of the trials of several, each once. */
export function joinPlans(plans: readonly Plan[]): Plan {
  const trials = new Map(plans.flatMap((plan) => [...plan].map((trial) => [trial.id, trial])))
  return planOf(
    [...trials.values()],
    plans.flatMap(({ cells }) => cells),
  )
}

/** The place of a trial in every version of a plan. */
const slotOf = ({ task, method, agentSet }: Cell, epoch: number) =>
  JSON.stringify([refOfVersion(task), method.label, agentSet, epoch])

const planOf = (trials: readonly Trial[], cells: readonly Cell[]): Plan => ({
  length: trials.length,
  cells,
  at: (place) => trials[place] as Trial,
  [Symbol.iterator]: () => trials.values(),
})
