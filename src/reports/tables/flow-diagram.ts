import { type Count, type Flow, isSequence } from '../../schema/method/declaration.ts'

/** Returns a flow on one line: `( writer → reviewer )* up to rounds`. */
export function flowText(flow: Flow): string {
  if (typeof flow === 'string') return flow
  if (isSequence(flow)) return flow.map((part) => flowText(part)).join(' → ')
  if ('either' in flow) return `( ${flow.either.map(flowText).join(' | ')} )`
  if ('maybe' in flow) return `( ${flowText(flow.maybe)} )?`
  if ('beside' in flow) return `[ ${flowText(flow.beside)} ] × ${countText(flow)}`
  return `( ${flowText(flow.repeat)} )* ${countText(flow)}`
}

/** Returns a flow as a Mermaid flowchart: a node for each role, and arrows to the roles that may be asked next. */
export function flowMermaid(flow: Flow, roles: Readonly<Record<string, string>>): string {
  const names = Object.keys(roles)
  const node = (role: string) => `r${names.indexOf(role)}`
  const { first, last, edges, beside } = flowGraph(flow)
  const shown = new Set([...first, ...last, ...edges.flat()])
  return [
    'flowchart LR',
    '  begin(( ))',
    ...names
      .filter((role) => shown.has(role))
      .map((role) => `  ${node(role)}${shapeOf(roles[role], `${role}${beside.get(role) ?? ''}`)}`),
    ...[...first].map((role) => `  begin --> ${node(role)}`),
    ...edges.map(([from, to]) => `  ${node(from)} --> ${node(to)}`),
    ...[...last].map((role) => `  ${node(role)} --> done`),
    '  done((end))',
  ].join('\n')
}

interface FlowGraph {
  first: ReadonlySet<string>
  last: ReadonlySet<string>
  edges: [from: string, to: string][]
  /** Roles that are asked in parallel, and how often. */
  beside: ReadonlyMap<string, string>
  /** Whether the flow may ask no role at all. */
  mayBeNothing: boolean
}

function flowGraph(flow: Flow): FlowGraph {
  if (typeof flow === 'string')
    return {
      first: new Set([flow]),
      last: new Set([flow]),
      edges: [],
      beside: new Map(),
      mayBeNothing: false,
    }
  if (isSequence(flow)) return flow.map(flowGraph).reduce(joinInSequence)
  if ('either' in flow) return flow.either.map(flowGraph).reduce(joinAlternatives)
  if ('maybe' in flow) return { ...flowGraph(flow.maybe), mayBeNothing: true }
  if ('beside' in flow) {
    const inner = flowGraph(flow.beside)
    const roles = new Set([...inner.first, ...inner.last, ...inner.edges.flat()])
    return { ...inner, beside: new Map([...roles].map((role) => [role, ` × ${countText(flow)}`])) }
  }
  const inner = flowGraph(flow.repeat)
  const last = flow.until === undefined ? inner.last : new Set([...inner.last, flow.until])
  return { ...inner, last, edges: uniqueEdges([...inner.edges, ...edgesBetween(inner.last, inner.first)]) }
}

const joinInSequence = (a: FlowGraph, b: FlowGraph): FlowGraph => ({
  first: a.mayBeNothing ? new Set([...a.first, ...b.first]) : a.first,
  last: b.mayBeNothing ? new Set([...a.last, ...b.last]) : b.last,
  edges: uniqueEdges([...a.edges, ...edgesBetween(a.last, b.first), ...b.edges]),
  beside: new Map([...a.beside, ...b.beside]),
  mayBeNothing: a.mayBeNothing && b.mayBeNothing,
})

const joinAlternatives = (a: FlowGraph, b: FlowGraph): FlowGraph => ({
  first: new Set([...a.first, ...b.first]),
  last: new Set([...a.last, ...b.last]),
  edges: uniqueEdges([...a.edges, ...b.edges]),
  beside: new Map([...a.beside, ...b.beside]),
  mayBeNothing: a.mayBeNothing || b.mayBeNothing,
})

const edgesBetween = (from: ReadonlySet<string>, to: ReadonlySet<string>) =>
  [...from].flatMap((a) => [...to].map((b): [string, string] => [a, b]))

const uniqueEdges = (edges: readonly [string, string][]) => [
  ...new Map(edges.map((edge) => [edge.join('\n'), edge])).values(),
]

const countText = ({ most, times }: { most?: Count; times?: Count }) =>
  times === undefined ? `up to ${most}` : String(times)

function shapeOf(work: string | undefined, label: string): string {
  if (work === 'judge') return `{{"${label}"}}`
  if (work === 'decide') return `{"${label}"}`
  return work === 'summarise' ? `[/"${label}"/]` : `["${label}"]`
}
