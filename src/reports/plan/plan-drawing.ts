import type { GraphPart, GraphPlan, PlanStep, PlanWork } from '../../schema/graph/plan.ts'
import { type AddedSteps, addedSteps } from './added-steps.ts'

/** A step, the steps that another adds, or a junction: a point where the arrows of many steps meet. */
export type DrawnNode =
  | { key: string; kind: 'step'; step: PlanStep; isAnswer: boolean }
  | { key: string; kind: 'added'; added: AddedSteps }
  | { key: string; kind: 'junction' }

/** A box around the steps of a pattern. */
export interface DrawnBox {
  key: string
  part: GraphPart | undefined
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
  root: DrawnBox
  edges: DrawnEdge[]
}

/** Lays out a plan for a diagram. */
export function drawPlan(plan: GraphPlan): PlanDrawing {
  const root: DrawnBox = { key: 'root', part: undefined, content: [] }
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
      put({ key: junction, kind: 'junction' }, sharedParts(group))
      for (const id of step.needs) edges.push({ from: keyOf(id), to: junction, isAdded: false })
    }
    put({ key, kind: 'step', step, isAnswer: step.id === plan.answer }, step.parts)
    for (const from of junction === undefined ? step.needs.map(keyOf) : [junction])
      edges.push({ from, to: key, isAdded: false })
    for (const [i, added] of addedSteps(step).entries()) {
      const own = `${key}a${i + 1}`
      put({ key: own, kind: 'added', added }, step.parts)
      edges.push({ from: key, to: own, isAdded: true })
      for (const id of added.before) edges.push({ from: own, to: keyOf(id), isAdded: true })
    }
  }
  return { root, edges }
}

/** Returns what a node asks for: its role, and its provider if the document names one. */
export const roleText = ({ role, provider }: PlanWork): string =>
  provider === null || role.endsWith(`@${provider}`) ? role : `${role} on ${provider}`

/** Returns the line of a node that names the tools of its agent; none without tools. */
export const toolLines = ({ tools }: PlanWork): string[] =>
  tools.length > 0 ? [`tools ${tools.join(', ')}`] : []

/** Returns the text of a pattern's box. */
export const boxText = ({ kind, pattern }: GraphPart): string => `${kind} ${pattern}`

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
    const box = { key: `p${boxes.size + 1}`, part, content: [] }
    boxes.set(part.pattern, box)
    outer.content.push(box)
    return box
  }, root)
}
