import type { PlanRole, PlanStep, PlanWork } from '../../schema/graph/plan.ts'

/** Steps that a planner or a boss may add at run time: one of its kinds, in one row or node. */
export interface AddedSteps {
  /** Ids of the first and the last: `p::x::execute::01 … 05`. */
  id: string
  /** The step that adds them. */
  by: string
  work: PlanWork
  /** How many, in words. */
  limit: string
  /** Most steps of these that run one after another. */
  depth: number
  /** Steps that wait for them. */
  before: readonly string[]
}

/** Returns what a step may add: nothing, the executor's steps, or those of each worker. */
export function addedSteps({ id, does }: PlanStep): AddedSteps[] {
  if (does?.kind === 'plan') return [plannedSteps(id, does)]
  return does?.kind === 'assign' ? assignedSteps(id, does) : []
}

function plannedSteps(by: string, role: Extract<PlanRole, { kind: 'plan' }>): AddedSteps {
  const { prefix, max, order, executor, before } = role
  const number = (n: number) => String(n).padStart(2, '0')
  const isChain = order === 'sequential'
  return {
    ...{ id: range(prefix, number(1), number(max)), by, work: executor, before },
    limit: `up to ${max}, ${isChain ? 'one after another' : 'side by side'}`,
    depth: isChain ? max : 1,
  }
}

function assignedSteps(by: string, role: Extract<PlanRole, { kind: 'assign' }>): AddedSteps[] {
  const { prefix, round, max, workers, before } = role
  const names = Object.keys(workers)
  return names.map((name) => ({
    ...{ id: range(`${prefix}${name}::`, `r${round}_1`, `r${round}_${max}`), by, before, depth: 1 },
    work: workers[name] as PlanWork,
    limit: `up to ${max}${names.length > 1 ? ', counted with the other workers' : ''}`,
  }))
}

/** Returns how many steps a step may add at most. */
export const mostAdded = ({ does }: PlanStep): number =>
  does?.kind === 'plan' || does?.kind === 'assign' ? does.max : 0

const range = (prefix: string, first: string, last: string) =>
  first === last ? `${prefix}${first}` : `${prefix}${first} … ${last}`
