import type { GraphPart, GraphPlan, PlanRole, PlanStep, PlanWork } from '../../schema/graph/plan.ts'

/** A step, the steps that another adds, or a junction: a point where the arrows of many steps meet. */
export interface DrawnNode {
  key: string
  /** The lines of its label; null: a junction. */
  lines: string[] | null
  work: PlanWork['work']
  /** Added at run time, or the step whose reply is the answer. */
  mark?: 'added' | 'answer'
}

/** A box around the steps of a pattern. */
export interface DrawnBox {
  key: string
  /** Empty: no box. */
  title: string
  /** Nodes and inner boxes, in plan order. */
  content: (DrawnNode | DrawnBox)[]
}

interface DrawnEdge {
  from: string
  to: string
  /** It leads to or from steps that are added at run time. */
  isAdded: boolean
}

/** A plan as nodes, boxes and arrows with short keys. The same plan always gives the same drawing. */
interface PlanDrawing {
  title: string
  root: DrawnBox
  edges: DrawnEdge[]
}

/** Lays out a plan for a diagram. */
export function drawPlan(plan: GraphPlan): PlanDrawing {
  const root: DrawnBox = { key: 'root', title: '', content: [] }
  const boxes = new Map<string, DrawnBox>()
  const keys = new Map(plan.steps.map(({ id }, i) => [id, `s${i + 1}`]))
  const keyOf = (id: string) => {
    const key = keys.get(id)
    if (key === undefined) throw new Error(`the plan has no step ${id}`)
    return key
  }
  const edges: DrawnEdge[] = []
  const joined = groupsToJoin(plan.steps)
  const junctions = new Map<readonly PlanStep[], string>()
  const put = (node: DrawnNode, parts: readonly GraphPart[]) => boxFor(parts, root, boxes).content.push(node)

  for (const step of plan.steps) {
    const key = keyOf(step.id)
    const group = joined.get(step)
    let junction = group && junctions.get(group)
    if (group && junction === undefined) {
      junction = `j${junctions.size + 1}`
      junctions.set(group, junction)
      put({ key: junction, lines: null, work: step.work }, sharedParts(group))
      for (const id of step.needs) edges.push({ from: keyOf(id), to: junction, isAdded: false })
    }
    const isAnswer = step.id === plan.answer
    put({ ...drawnWork(step, step.id), key, ...(isAnswer && { mark: 'answer' }) }, step.parts)
    for (const from of junction === undefined ? step.needs.map(keyOf) : [junction])
      edges.push({ from, to: key, isAdded: false })
    for (const [i, added] of addedSteps(step).entries()) {
      const own = `${key}a${i + 1}`
      put({ ...drawnWork(added.work, added.id, added.limit), key: own, mark: 'added' }, step.parts)
      edges.push({ from: key, to: own, isAdded: true })
      for (const id of added.before) edges.push({ from: own, to: keyOf(id), isAdded: true })
    }
  }
  return { title: `${plan.name}, workflow ${plan.workflow}`, root, edges }
}

function drawnWork({ role, provider, tools, work }: PlanWork, ...[id, ...limit]: [string, ...string[]]) {
  const who = provider === null || role.endsWith(`@${provider}`) ? role : `${role} on ${provider}`
  const lines = [id, who, ...limit, ...(tools.length > 0 ? [`tools ${tools.join(', ')}`] : [])]
  return { work, lines }
}

/**
 * Groups steps that wait for the same steps, where a junction saves arrows: each of 20 debaters reads each other, which would
 * be 400 arrows a round, and Mermaid draws 500 at most.
 */
function groupsToJoin(steps: readonly PlanStep[]): ReadonlyMap<PlanStep, readonly PlanStep[]> {
  const byNeeds = new Map<string, PlanStep[]>()
  for (const step of steps) {
    const needs = JSON.stringify(step.needs)
    byNeeds.set(needs, [...(byNeeds.get(needs) ?? []), step])
  }
  const groups = [...byNeeds.values()].filter(
    (group) => group.length > 2 && (group[0]?.needs.length ?? 0) > 2,
  )
  return new Map(groups.flatMap((group) => group.map((step) => [step, group] as const)))
}

function sharedParts(group: readonly PlanStep[]): readonly GraphPart[] {
  const first = group[0]?.parts ?? []
  const end = first.findIndex(({ pattern }, i) => group.some(({ parts }) => parts[i]?.pattern !== pattern))
  return end < 0 ? first : first.slice(0, end)
}

function boxFor(parts: readonly GraphPart[], root: DrawnBox, boxes: Map<string, DrawnBox>): DrawnBox {
  return parts.reduce((outer, part) => {
    const known = boxes.get(part.pattern)
    if (known) return known
    const box = { key: `p${boxes.size + 1}`, title: `${part.kind} ${part.pattern}`, content: [] }
    boxes.set(part.pattern, box)
    outer.content.push(box)
    return box
  }, root)
}

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
