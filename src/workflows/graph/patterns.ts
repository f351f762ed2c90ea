import type { Node, PatternNode, Slot, Step, StepSlot } from '../../schema/graph/node.ts'
import type { GraphPart, PlanRole, PlanWork } from '../../schema/graph/plan.ts'

/** Adds the steps of a pattern to a plan. Returns the last one. */
export function compilePattern(node: PatternNode, place: PatternPlace, compiler: Compiler): string {
  switch (node.pattern) {
    case 'linear':
      return compileLinear(node, place, compiler)
    case 'fork_join':
      return compileForkJoin(node, place, compiler)
    case 'debate':
      return compileDebate(node, place, compiler)
    case 'planner_executor':
      return compilePlannerExecutor(node, place, compiler)
    case 'referee':
      return compileReferee(node, place, compiler)
    case 'hierarchical':
      return compileHierarchical(node, place, compiler)
  }
}

/** Where a node stands in a workflow. */
export interface Place {
  /** The step that it waits for and reads, of each node before it. */
  needs: readonly string[]
  /** The patterns around it, outermost first. */
  parts: readonly GraphPart[]
  /** The names by which a run can place it, most specific first. */
  names: readonly string[]
}

/** A step, before its work is known in full. */
interface StepPlace extends Place {
  id: string
  does?: PlanRole
}

/** What a pattern compiles with. Each function adds steps to the plan; those for nodes return the last one. */
export interface Compiler {
  step(slot: Step | StepSlot, place: StepPlace): string
  /** Compiles a step or pattern of a slot; `joins` if it joins the branches of the pattern around it. */
  slot(slot: Slot, place: SlotPlace): string
  /** Compiles nodes one after another. */
  chain(nodes: readonly Node[], place: ChainPlace): string
  /** Returns the work of a step that is added at run time. */
  work(slot: StepSlot, names: readonly string[]): PlanWork
}

interface SlotPlace extends Place {
  /** Full id of the step that fills the slot. */
  id: string
  /** Full id of the slot; those of patterns inside begin with it. */
  scope: string
}

export interface ChainPlace extends Place {
  /** Ids of steps of the chain begin with it. */
  prefix: string
  scope: string
}

interface PatternPlace extends Place {
  /** Its full id: the ids of the patterns and slots around it, joined by dots. */
  id: string
}

/** Returns the entries of a map in the order of their names, whatever the order in the document. */
export const byName = <Value>(map: Readonly<Record<string, Value>>): [string, Value][] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))

type Pattern<Kind extends PatternNode['pattern']> = Extract<PatternNode, { pattern: Kind }>

/** Returns the place of the step of a slot: in the pattern, behind `needs`. */
function slotPlace(
  { id, parts, names }: PatternPlace,
  kind: GraphPart['kind'],
  slot: string,
  needs: readonly string[],
  part: Pick<GraphPart, 'turn' | 'joins'> = {},
): SlotPlace {
  return {
    id: `p::${id}::${slot}`,
    scope: `${id}.${slot}`,
    needs,
    parts: [...parts, { pattern: id, kind, ...part }],
    names,
  }
}

function compileLinear({ steps }: Pattern<'linear'>, place: PatternPlace, compiler: Compiler): string {
  const { id, needs, names } = place
  const { parts } = slotPlace(place, 'linear', '', needs)
  return compiler.chain(steps, { needs, parts, names, prefix: `p::${id}::`, scope: id })
}

/** A chain for each branch, side by side, and a step that joins their last steps. Returns it. */
function compileForkJoin(
  { branches, join }: Pattern<'fork_join'>,
  place: PatternPlace,
  compiler: Compiler,
): string {
  const last = byName(branches).map(([name, nodes]) => {
    const { id: branch, ...around } = slotPlace(place, 'fork_join', name, place.needs)
    return compiler.chain(nodes, { ...around, names: [branch, ...place.names], prefix: `${branch}::` })
  })
  return compiler.slot(join, slotPlace(place, 'fork_join', 'join', last, { joins: true }))
}

/** Rounds in which each debater reads all replies of the round before, its own included, and a judge of the last round. Returns the judge. */
function compileDebate(
  { debaters, rounds, judge }: Pattern<'debate'>,
  place: PatternPlace,
  compiler: Compiler,
): string {
  let { needs } = place
  for (let turn = 1; turn <= rounds; turn++)
    needs = byName(debaters).map(([name, debater]) => {
      const at = slotPlace(place, 'debate', name, needs, { turn })
      return compiler.step(debater, { ...at, id: `${at.id}::r${turn}`, names: [at.id, ...at.names] })
    })
  return compiler.step(judge, slotPlace(place, 'debate', 'judge', needs, { joins: true }))
}

/** A planner that adds executors at run time. Returns the step that finishes, or else the planner. */
function compilePlannerExecutor(
  { planner, executor, max_steps: max, order, finish }: Pattern<'planner_executor'>,
  place: PatternPlace,
  compiler: Compiler,
): string {
  const execute = `p::${place.id}::execute`
  const plan = compiler.step(planner, {
    ...slotPlace(place, 'planner_executor', 'plan', place.needs),
    does: {
      ...{ kind: 'plan', prefix: `${execute}::`, max, order },
      executor: compiler.work(executor, [execute, ...place.names]),
      before: [],
    },
  })
  if (finish === undefined) return plan
  return compiler.slot(finish, slotPlace(place, 'planner_executor', 'finish', [plan], { joins: true }))
}

/** Candidates side by side, and a referee that names one of them. Returns the referee. */
function compileReferee(
  { candidates, referee }: Pattern<'referee'>,
  place: PatternPlace,
  compiler: Compiler,
): string {
  const last = byName(candidates).map(([name, candidate]): [string, string] => [
    name,
    compiler.slot(candidate, slotPlace(place, 'referee', name, place.needs)),
  ])
  const needs = last.map(([, step]) => step)
  const step = typeof referee === 'string' ? { task: referee } : referee
  return compiler.step(
    // The winner's files count, so what the candidates changed is no conflict.
    { ...step, conflict: step.conflict ?? 'last' },
    {
      ...slotPlace(place, 'referee', 'referee', needs, { joins: true }),
      does: { kind: 'choose', candidates: Object.fromEntries(last) },
    },
  )
}

/** A boss that adds tasks for workers at run time, round by round. Returns the step that finishes, or else the first one of the boss. */
function compileHierarchical(
  { boss, workers, max_tasks: max, rounds, finish }: Pattern<'hierarchical'>,
  place: PatternPlace,
  compiler: Compiler,
): string {
  const at = slotPlace(place, 'hierarchical', 'boss', place.needs, { turn: 1 })
  const names = [at.id, ...at.names]
  const prefix = `p::${place.id}::`
  const works = byName(workers).map(([name, worker]) => [
    name,
    compiler.work(worker, [`${prefix}${name}`, ...at.names]),
  ])
  const first = compiler.step(boss, {
    ...{ ...at, id: `${at.id}::r1`, names },
    does: {
      ...{ kind: 'assign', prefix, round: 1, rounds, max },
      boss: compiler.work(boss, names),
      workers: Object.fromEntries(works),
      before: [],
    },
  })
  if (finish === undefined) return first
  return compiler.slot(finish, slotPlace(place, 'hierarchical', 'finish', [first], { joins: true }))
}
