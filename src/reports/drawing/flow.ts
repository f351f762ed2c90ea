import {
  besideEach,
  type Count,
  type Flow,
  type GraphNode,
  isSequence,
  type MachineNode,
} from '../../schema/method/declaration.ts'
import { shapeOf } from './mermaid.ts'

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

const plain = { beside: new Map<string, string>(), boxes: [], mayBeNothing: false }

function flowGraph(flow: Flow): FlowGraph {
  if (typeof flow === 'string') return { ...plain, first: new Set([flow]), last: new Set([flow]), edges: [] }
  if (isSequence(flow)) return flow.map(flowGraph).reduce(joinInSequence)
  if ('either' in flow) return flow.either.map(flowGraph).reduce(joinAlternatives)
  if ('maybe' in flow) return { ...flowGraph(flow.maybe), mayBeNothing: true }
  if ('graph' in flow) return graphOfRoles(flow.graph)
  if ('machine' in flow) return machineOfRoles(flow.machine)
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

const rolesText = (roles: readonly string[], between: string) =>
  roles.length > 1 ? `[ ${roles.join(between)} ]` : (roles[0] ?? '')

/** Returns a declared machine on one line: `start → draft; draft [ anna ‖ ben ] → check or halt; done`. */
const machineText = (nodes: readonly MachineNode[]): string =>
  nodes
    .map(({ state, roles, next }) => {
      const who = rolesText(roles, ' ‖ ')
      return `${state}${who === '' ? '' : ` ${who}`}${next.length > 0 ? ` → ${next.join(' or ')}` : ''}`
    })
    .join('; ')

function machineMermaid(nodes: readonly MachineNode[]): string {
  const place = new Map(nodes.map(({ state }, i) => [state, `s${i}`]))
  const label = ({ state, roles }: MachineNode) =>
    roles.length > 0 ? `["${state}: ${roles.join(', ')}"]` : `(["${state}"])`
  return [
    'flowchart TD',
    ...nodes.map((node) => `  ${place.get(node.state)}${label(node)}`),
    ...nodes.flatMap(({ state, next }) => next.map((to) => `  ${place.get(state)} --> ${place.get(to)}`)),
  ].join('\n')
}

function machineOfRoles(nodes: readonly MachineNode[]): FlowGraph {
  const known = new Map(nodes.map((node) => [node.state, node]))
  const reach = (states: readonly string[], seen = new Set<string>()): MachineNode[] =>
    states.flatMap((state) => {
      const node = known.get(state)
      if (!node || seen.has(state)) return []
      seen.add(state)
      return node.roles.length > 0 || node.next.length === 0 ? [node] : reach(node.next, seen)
    })
  const rolesBehind = (states: readonly string[]) => reach(states).flatMap(({ roles }) => roles)
  const isLast = ({ next }: MachineNode) =>
    next.length === 0 || reach(next).some((node) => node.roles.length === 0)
  const pairs = nodes.flatMap(({ roles, next }) =>
    roles.flatMap((from) => rolesBehind(next).map((to): [string, string] => [from, to])),
  )
  return {
    ...plain,
    first: new Set(rolesBehind(nodes.slice(0, 1).map(({ state }) => state))),
    last: new Set(nodes.filter(isLast).flatMap(({ roles }) => roles)),
    edges: uniqueEdges(pairs),
  }
}

/** How many steps of a declared graph a line names. */
const named = 8

/** Returns a declared graph on one line: `{ a: writer, b: critic after a }`. */
function graphText(nodes: readonly GraphNode[]): string {
  const texts = nodes.slice(0, named).map(({ id, role, after = [], inserts }) => {
    const needs = after.length > 0 ? ` after ${after.join(' and ')}` : ''
    const adds = inserts ? `, which may add ${inserts.prefix}…: ${inserts.roles.join(' or ')}` : ''
    return `${id}: ${role}${needs}${adds}`
  })
  const more = nodes.length > named ? [`and ${nodes.length - named} more steps`] : []
  return `{ ${[...texts, ...more].join('; ')} }`
}

function graphMermaid(nodes: readonly GraphNode[], workOf: (role: string) => string | undefined): string {
  const place = new Map(nodes.map(({ id }, i) => [id, `s${i}`]))
  const needed = new Set(nodes.flatMap(({ after = [] }) => after))
  return [
    'flowchart LR',
    '  begin(( ))',
    ...nodes.map(({ id, role }) => `  ${place.get(id)}${shapeOf(workOf(role), `${id}: ${role}`)}`),
    ...nodes.flatMap(({ inserts }, i) =>
      inserts ? [`  s${i} -.-> i${i}[["${inserts.prefix}…: ${inserts.roles.join(' or ')}"]]`] : [],
    ),
    ...nodes.flatMap(({ id, after = [] }) =>
      (after.length > 0 ? after.map((need) => place.get(need)) : ['begin']).map(
        (from) => `  ${from} --> ${place.get(id)}`,
      ),
    ),
    ...nodes.filter(({ id }) => !needed.has(id)).map(({ id }) => `  ${place.get(id)} --> done`),
    '  done((end))',
  ].join('\n')
}

function graphOfRoles(nodes: readonly GraphNode[]): FlowGraph {
  const roleOf = new Map(nodes.map(({ id, role }) => [id, role]))
  const needed = new Set(nodes.flatMap(({ after = [] }) => after))
  const pairs = nodes.flatMap(({ role, after = [], inserts }): [string, string][] => [
    ...after.map((need): [string, string] => [roleOf.get(need) ?? role, role]),
    ...(inserts?.roles ?? []).map((added): [string, string] => [role, added]),
  ])
  return {
    ...plain,
    first: new Set(nodes.filter(({ after = [] }) => after.length === 0).map(({ role }) => role)),
    last: new Set(nodes.filter(({ id }) => !needed.has(id)).map(({ role }) => role)),
    edges: uniqueEdges(pairs),
  }
}
