import { besideEach, type Count, type Flow, isSequence } from '../../schema/method/declaration.ts'
import { graphMermaid, graphOfRoles, graphText, shapeOf } from './graph-diagram.ts'
import { machineMermaid, machineOfRoles, machineText } from './machine-diagram.ts'

/** Returns a flow on one line: `( writer → reviewer )* up to rounds`. `‖` is between parts that run side by side. */
export function flowText(flow: Flow): string {
  if (typeof flow === 'string') return flow
  if (isSequence(flow)) return flow.map((part) => flowText(part)).join(' → ')
  if ('either' in flow) return `( ${flow.either.map(flowText).join(' | ')} )`
  if ('maybe' in flow) return `( ${flowText(flow.maybe)} )?`
  if ('graph' in flow) return graphText(flow.graph)
  if ('machine' in flow) return machineText(flow.machine)
  if ('beside' in flow) {
    const each = besideEach(flow)
    return each
      ? `[ ${each.map(flowText).join(' ‖ ')} ]`
      : `[ ${flowText(flow.beside)} ] × ${countText(flow)}`
  }
  return `( ${flowText(flow.repeat)} )* ${countText(flow)}`
}

/**
 * Returns a flow as a Mermaid flowchart: a node for each role, an arrow to each role that may be asked next, and a box around
 * roles that run side by side.
 */
export function flowMermaid(flow: Flow, roles: Readonly<Record<string, string>>): string {
  if (typeof flow === 'object' && 'graph' in flow) return graphMermaid(flow.graph, (role) => roles[role])
  if (typeof flow === 'object' && 'machine' in flow) return machineMermaid(flow.machine)
  const names = Object.keys(roles)
  const node = (role: string) => `r${names.indexOf(role)}`
  const { first, last, edges, beside, boxes } = flowGraph(flow)
  const shown = new Set([...first, ...last, ...edges.flat()])
  return [
    'flowchart LR',
    '  begin(( ))',
    ...names
      .filter((role) => shown.has(role))
      .map((role) => `  ${node(role)}${shapeOf(roles[role], `${role}${beside.get(role) ?? ''}`)}`),
    ...boxLines(boxes, node),
    ...[...first].map((role) => `  begin --> ${node(role)}`),
    ...edges.map(([from, to]) => `  ${node(from)} --> ${node(to)}`),
    ...[...last].map((role) => `  ${node(role)} --> done`),
    '  done((end))',
  ].join('\n')
}

/** Mermaid draws a node in one box only: the outer one, or the first. */
function boxLines(boxes: FlowGraph['boxes'], node: (role: string) => string): string[] {
  const boxed = new Set<string>()
  return boxes
    .map((box) => {
      const roles = [...box].filter((role) => !boxed.has(role))
      for (const role of roles) boxed.add(role)
      return roles
    })
    .filter((roles) => roles.length > 1)
    .flatMap((roles, i) => [
      `  subgraph b${i} [side by side]`,
      ...roles.map((role) => `    ${node(role)}`),
      '  end',
    ])
}

interface FlowGraph {
  first: ReadonlySet<string>
  last: ReadonlySet<string>
  edges: [from: string, to: string][]
  /** Of roles that are asked several times side by side: how often. */
  beside: ReadonlyMap<string, string>
  /** Roles that are asked once each, side by side. */
  boxes: readonly ReadonlySet<string>[]
  /** The flow may ask nobody. */
  mayBeNothing: boolean
}

function flowGraph(flow: Flow): FlowGraph {
  if (typeof flow === 'string')
    return {
      first: new Set([flow]),
      last: new Set([flow]),
      edges: [],
      beside: new Map(),
      boxes: [],
      mayBeNothing: false,
    }
  if (isSequence(flow)) return flow.map(flowGraph).reduce(joinInSequence)
  if ('either' in flow) return flow.either.map(flowGraph).reduce(joinAlternatives)
  if ('maybe' in flow) return { ...flowGraph(flow.maybe), mayBeNothing: true }
  if ('graph' in flow)
    return { ...graphOfRoles(flow.graph), beside: new Map(), boxes: [], mayBeNothing: false }
  if ('machine' in flow)
    return { ...machineOfRoles(flow.machine), beside: new Map(), boxes: [], mayBeNothing: false }
  if ('beside' in flow) {
    const each = besideEach(flow)
    if (each) return together(each.map(flowGraph))
    const inner = flowGraph(flow.beside)
    const roles = rolesIn(inner)
    return { ...inner, beside: new Map([...roles].map((role) => [role, ` × ${countText(flow)}`])) }
  }
  const inner = flowGraph(flow.repeat)
  const last = flow.until === undefined ? inner.last : new Set([...inner.last, flow.until])
  return { ...inner, last, edges: uniqueEdges([...inner.edges, ...edgesBetween(inner.last, inner.first)]) }
}

const rolesIn = ({ first, last, edges }: FlowGraph) => new Set([...first, ...last, ...edges.flat()])

function together(parts: readonly FlowGraph[]): FlowGraph {
  const all = parts.reduce(joinAlternatives)
  return {
    ...all,
    boxes: [rolesIn(all), ...all.boxes],
    mayBeNothing: parts.every(({ mayBeNothing }) => mayBeNothing),
  }
}

const joinInSequence = (a: FlowGraph, b: FlowGraph): FlowGraph => ({
  first: a.mayBeNothing ? new Set([...a.first, ...b.first]) : a.first,
  last: b.mayBeNothing ? new Set([...a.last, ...b.last]) : b.last,
  edges: uniqueEdges([...a.edges, ...edgesBetween(a.last, b.first), ...b.edges]),
  beside: new Map([...a.beside, ...b.beside]),
  boxes: [...a.boxes, ...b.boxes],
  mayBeNothing: a.mayBeNothing && b.mayBeNothing,
})

const joinAlternatives = (a: FlowGraph, b: FlowGraph): FlowGraph => ({
  first: new Set([...a.first, ...b.first]),
  last: new Set([...a.last, ...b.last]),
  edges: uniqueEdges([...a.edges, ...b.edges]),
  beside: new Map([...a.beside, ...b.beside]),
  boxes: [...a.boxes, ...b.boxes],
  mayBeNothing: a.mayBeNothing || b.mayBeNothing,
})

const edgesBetween = (from: ReadonlySet<string>, to: ReadonlySet<string>) =>
  [...from].flatMap((a) => [...to].map((b): [string, string] => [a, b]))

const uniqueEdges = (edges: readonly [string, string][]) => [
  ...new Map(edges.map((edge) => [edge.join('\n'), edge])).values(),
]

const countText = ({ most, times }: { most?: Count; times?: Count }) =>
  times === undefined ? `up to ${most}` : String(times)
