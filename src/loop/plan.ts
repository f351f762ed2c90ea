import { digest } from '../canonical.ts'
import { type Random, seededRandom, shuffled } from '../random.ts'
import { type AgentSet, agentSetsOf } from '../schema/agent-set.ts'
import type { AgentSettings } from '../schema/agent-settings.ts'
import type { Faults } from '../schema/faults.ts'
import type { Budget, Limits } from '../schema/limits.ts'
import type { Cell, Method, Trial } from '../schema/trial.ts'
import { hexOf } from './hex.ts'

/** What a plan is made of. Tasks come with the digest that the ids are to name, and their own limits. */
export interface PlanInput {
  tasks: readonly { ref: string; digest: string; limits: Limits }[]
  methods: readonly Method[]
  agents: Readonly<Record<string, string>>
  /** Sets of agents, each of which answers for every method; absent: `agents` alone. */
  agentSets?: readonly AgentSet[] | undefined
  agentSettings?: AgentSettings | undefined
  /** The simulated agents' profile; null without one. */
  profile: { name: string; digest: string } | null
  /** Given for the run; they win over the tasks'. */
  limits: Limits
  /** Of each ask. */
  askLimits?: Budget | undefined
  /** Most retries of an ask. */
  retries?: number | undefined
  /** Faults that are injected on purpose. */
  faults?: Faults | undefined
  seed: number
  epochs: number
}

/**
 * All trials in the order in which they start. A task with all its epochs, methods and sets of agents is one block;
 * blocks, and what stands within each epoch of a block, are in seeded random order, so that drift hits all alike; what
 * matches another method's spend stands at the end of its block.
 */
export function makePlan(input: PlanInput): Trial[] {
  const trials: Trial[] = []
  const sets = agentSetsOf(input)
  const rows = input.methods.flatMap((method) =>
    sets.map((set) => ({ method, agents: agentsOf(set.agents, method), agentSet: set.label })),
  )
  for (const task of inBlockOrder(input.tasks, input.seed)) {
    const cells = rows.map((row) => {
      const { cell, digest } = makeCell(input, task, row)
      return { cell, idOf: trialIds(digest) }
    })
    const random = seededRandom(`plan/${input.seed}/${task.ref}`)
    // A budget is matched to all epochs of what it matches, so these come after them.
    for (const matched of [false, true]) {
      const part = cells.filter(({ cell }) => (cell.method.match !== undefined) === matched)
      addEpochs(trials, part, random, 1, input.epochs)
    }
  }
  return trials
}

/** A cell, and the ids of its trials. */
interface PlannedCell {
  cell: Cell
  idOf(epoch: number): string
}

/** Epochs that are planned in one loop. V8 optimises what a long one stands in, with all that it calls, at once and in vain. */
const epochsPerLoop = 64

function addEpochs(
  trials: Trial[],
  cells: readonly PlannedCell[],
  random: Random,
  first: number,
  last: number,
): void {
  if (last - first < epochsPerLoop) {
    for (let epoch = first; epoch <= last; epoch++) addEpoch(trials, cells, random, epoch)
    return
  }
  const middle = Math.floor((first + last) / 2)
  addEpochs(trials, cells, random, first, middle)
  addEpochs(trials, cells, random, middle + 1, last)
}

/** Adds the trials of one epoch, in random order. */
function addEpoch(trials: Trial[], cells: readonly PlannedCell[], random: Random, epoch: number): void {
  // One alone is in order, and needs no copy for each epoch.
  const ordered = cells.length > 1 ? shuffled(cells, random) : cells
  for (const { cell, idOf } of ordered) trials.push({ id: idOf(epoch), cell, epoch })
}

/** Tasks in the order of their blocks. */
export function inBlockOrder<Task>(tasks: readonly Task[], seed: number): Task[] {
  return shuffled(tasks, seededRandom(`plan/${seed}`))
}

function makeCell(
  input: PlanInput,
  task: PlanInput['tasks'][number],
  {
    method: { agents: _, roles: __, limits, ...method },
    agents,
    agentSet,
  }: { method: Method; agents: Cell['agents']; agentSet: string | undefined },
): { cell: Cell; digest: string } {
  const cell: Cell = {
    task: task.ref,
    taskDigest: task.digest,
    method: { ...method, options: frozen(method.options) },
    agents,
    agentSet,
    agentSettings: settingsOf(input, agents),
    profile: input.profile,
    limits: { ...task.limits, ...input.limits, ...limits },
    askLimits: input.askLimits,
    retries: input.retries,
    faults: input.faults,
    seed: input.seed,
  }
  const { file: ___, ...own } = method
  return { cell, digest: digest({ ...cell, agentSet: undefined, method: own }) }
}

/** One object for all cells of a method with a set of agents: agents are looked up by it. */
function agentsOf(agents: Cell['agents'], method: Method): Cell['agents'] {
  return method.agents ? { ...agents, ...method.agents } : agents
}

/** A key is no part of what a trial is. */
function settingsOf({ agentSettings = {} }: PlanInput, agents: Cell['agents']): AgentSettings | undefined {
  const own = Object.values(agents).flatMap((name) => {
    const { keyVariable: _, ...setting } = agentSettings[name] ?? {}
    return Object.keys(setting).length > 0 ? [[name, setting] as const] : []
  })
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

/** All trials of a cell share its options: a strategy that changed them would change the next trial. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(frozen)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozen(item)]))
  return Object.freeze(copy) as Value
}

/**
 * A trial is what it is made of: equal trials of different runs have equal ids. 96 bits of the cell's SHA-256, of which
 * the first 32 tell its epochs apart: a hash of its own for each trial would be a fiftieth of a dry run.
 */
function trialIds(cellDigest: string): (epoch: number) => string {
  const first = Number.parseInt(cellDigest.slice(0, 8), 16)
  const rest = cellDigest.slice(8, 24)
  // Odd, so that no two epochs meet, and the golden ratio's, so that they differ from the first digit on.
  return (epoch) => hexOf(first ^ Math.imul(epoch, 0x9e3779b1)) + rest
}
