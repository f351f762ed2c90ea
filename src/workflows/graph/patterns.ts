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

/** A pattern and where it stands. */
interface PatternPlace extends Place {
  /** Its full id: the ids of the patterns and slots around it, joined by dots. */
  id: string
}

/** Returns the patterns that a step of a pattern is in. */
const inside = (
  { parts, id }: PatternPlace,
  kind: GraphPart['kind'],
  more: Pick<GraphPart, 'turn' | 'joins'> = {},
): GraphPart[] => [...parts, { pattern: id, kind, ...more }]

/** Returns the entries of a map in the order of their names, whatever the order in the document. */
export const byName = <Value>(map: Readonly<Record<string, Value>>): [string, Value][] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))

/** Steps one after another. Returns the last one. */
function compileLinear(
  { steps }: PatternNode & { pattern: 'linear' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  return compiler.chain(steps, {
    needs,
    parts: inside(place, 'linear'),
    names,
    prefix: `p::${id}::`,
    scope: id,
  })
}

/** A chain for each branch, side by side, and a step that joins their last steps. Returns it. */
function compileForkJoin(
  { branches, join }: PatternNode & { pattern: 'fork_join' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const parts = inside(place, 'fork_join')
  const last = byName(branches).map(([name, nodes]) => {
    const branch = `p::${id}::${name}`
    return compiler.chain(nodes, {
      needs,
      parts,
      names: [branch, ...names],
      prefix: `${branch}::`,
      scope: `${id}.${name}`,
    })
  })
  return compiler.slot(join, {
    id: `p::${id}::join`,
    scope: `${id}.join`,
    needs: last,
    parts: inside(place, 'fork_join', { joins: true }),
    names,
  })
}

/** Rounds in which each debater reads all replies of the round before, its own included, and a judge of the last round. Returns the judge. */
function compileDebate(
  { debaters, rounds, judge }: PatternNode & { pattern: 'debate' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, names } = place
  let needs = place.needs
  for (let turn = 1; turn <= rounds; turn++)
    needs = byName(debaters).map(([name, debater]) => {
      const all = `p::${id}::${name}`
      return compiler.step(debater, {
        id: `${all}::r${turn}`,
        needs,
        parts: inside(place, 'debate', { turn }),
        names: [all, ...names],
      })
    })
  return compiler.step(judge, {
    id: `p::${id}::judge`,
    needs,
    parts: inside(place, 'debate', { joins: true }),
    names,
  })
}

/** A planner that adds executors at run time. Returns the step that finishes, or else the planner. */
function compilePlannerExecutor(
  { planner, executor, max_steps, order, finish }: PatternNode & { pattern: 'planner_executor' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const execute = `p::${id}::execute`
  const plan = compiler.step(planner, {
    id: `p::${id}::plan`,
    needs,
    parts: inside(place, 'planner_executor'),
    names,
    does: {
      kind: 'plan',
      prefix: `${execute}::`,
      max: max_steps,
      order,
      executor: compiler.work(executor, [execute, ...names]),
      before: [],
    },
  })
  if (finish === undefined) return plan
  return compiler.slot(finish, {
    id: `p::${id}::finish`,
    scope: `${id}.finish`,
    needs: [plan],
    parts: inside(place, 'planner_executor', { joins: true }),
    names,
  })
}

/** Candidates side by side, and a referee that names one of them. Returns the referee. */
function compileReferee(
  { candidates, referee }: PatternNode & { pattern: 'referee' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const parts = inside(place, 'referee')
  const last = byName(candidates).map(([name, candidate]): [string, string] => [
    name,
    compiler.slot(candidate, { id: `p::${id}::${name}`, scope: `${id}.${name}`, needs, parts, names }),
  ])
  const step = typeof referee === 'string' ? { task: referee } : referee
  return compiler.step(
    // The winner's files count, so what the candidates changed is no conflict.
    { ...step, conflict: step.conflict ?? 'last' },
    {
      id: `p::${id}::referee`,
      needs: last.map(([, step]) => step),
      parts: inside(place, 'referee', { joins: true }),
      names,
      does: { kind: 'choose', candidates: Object.fromEntries(last) },
    },
  )
}

/** A boss that adds tasks for workers at run time, round by round. Returns the step that finishes, or else the first one of the boss. */
function compileHierarchical(
  { boss, workers, max_tasks, rounds, finish }: PatternNode & { pattern: 'hierarchical' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const all = `p::${id}::boss`
  const first = compiler.step(boss, {
    id: `${all}::r1`,
    needs,
    parts: inside(place, 'hierarchical', { turn: 1 }),
    names: [all, ...names],
    does: {
      kind: 'assign',
      prefix: `p::${id}::`,
      round: 1,
      rounds,
      max: max_tasks,
      boss: compiler.work(boss, [all, ...names]),
      workers: Object.fromEntries(
        byName(workers).map(([name, worker]) => [
          name,
          compiler.work(worker, [`p::${id}::${name}`, ...names]),
        ]),
      ),
      before: [],
    },
  })
  if (finish === undefined) return first
  return compiler.slot(finish, {
    id: `p::${id}::finish`,
    scope: `${id}.finish`,
    needs: [first],
    parts: inside(place, 'hierarchical', { joins: true }),
    names,
  })
}
