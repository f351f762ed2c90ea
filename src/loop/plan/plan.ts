import { seededRandom, shuffled } from '../../base/random.ts'
import { type AgentSet, agentSetsOf } from '../../schema/agent/agent-set.ts'
import type { AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { Faults } from '../../schema/agent/faults.ts'
import type { Cell, Method, Trial } from '../../schema/ledger/trial.ts'
import type { Budget, Limits } from '../../schema/limits.ts'
import { digest } from '../../text/canonical-json.ts'

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
  /** Limits where neither the run, the task nor the method has one. */
  usualLimits?: Limits | undefined
  /** Of each ask. */
  askLimits?: Budget | undefined
  /** Most retries of an ask. */
  retries?: number | undefined
  /** Faults that are injected on purpose. */
  faults?: Faults | undefined
  seed: number
  epochs: number
}

/** All trials of a run, in the order in which they start. */
export interface Plan extends Iterable<Trial> {
  readonly length: number
  /** What the trials are made of, each once. */
  readonly cells: readonly Cell[]
  /** The trial at a place, counted from 0. */
  at(place: number): Trial
}

/**
 * Puts the trials in order. A task with all its epochs, methods and sets of agents is one block; blocks, and what stands
 * within each epoch of a block, are in seeded random order, so that drift hits all alike; what matches another method's
 * spend stands at the end of its block.
 */
export function makePlan(input: PlanInput): Plan {
  const sets = agentSetsOf(input)
  const rows = input.methods.flatMap((method) =>
    sets.map((set) => ({ method, agents: agentsOf(set.agents, method), agentSet: set.label })),
  )
  const cells: Cell[] = []
  const trials: Trial[] = []
  for (const task of orderBlocks(input.tasks, input.seed)) {
    const block = rows.map((row) => makeCell(input, task, row))
    cells.push(...block.map(({ cell }) => cell))
    const random = seededRandom(`plan/${input.seed}/${task.ref}`)
    // A budget is matched to all epochs of what it matches, so these come after them.
    for (const matched of [false, true]) {
      const part = block.filter(({ cell }) => (cell.method.match !== undefined) === matched)
      for (let epoch = 1; epoch <= input.epochs; epoch++)
        for (const { cell, digest } of shuffled(part, random))
          trials.push({ id: trialId(digest, epoch), cell, epoch })
    }
  }
  return {
    length: trials.length,
    cells,
    at: (place) => trials[place] as Trial,
    [Symbol.iterator]: () => trials.values(),
  }
}

/** Tasks in the order of their blocks. */
export function orderBlocks<Task>(tasks: readonly Task[], seed: number): Task[] {
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
    method: { ...method, options: deepFreeze(method.options) },
    agents,
    agentSet,
    agentSettings: settingsOf(input, agents),
    profile: input.profile,
    limits: { ...input.usualLimits, ...task.limits, ...input.limits, ...limits },
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
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(deepFreeze)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepFreeze(item)]))
  return Object.freeze(copy) as Value
}

/**
 * A trial is what it is made of: equal trials of different runs have equal ids. 96 bits of the cell's SHA-256, of which
 * the first 32 tell its epochs apart.
 */
function trialId(cellDigest: string, epoch: number): string {
  // Odd, so that no two epochs meet, and the golden ratio's, so that they differ from the first digit on.
  const first = (Number.parseInt(cellDigest.slice(0, 8), 16) ^ Math.imul(epoch, 0x9e3779b1)) >>> 0
  return first.toString(16).padStart(8, '0') + cellDigest.slice(8, 24)
}
