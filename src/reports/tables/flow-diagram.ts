import { besideEach, type Count, type Flow, isSequence } from '../../schema/method/declaration.ts'

/** Returns a flow on one line: `( writer → reviewer )* up to rounds`. `‖` is between parts that run side by side. */
export function flowText(flow: Flow): string {
  if (typeof flow === 'string') return flow
  if (isSequence(flow)) return flow.map((part) => flowText(part)).join(' → ')
  if ('either' in flow) return `( ${flow.either.map(flowText).join(' | ')} )`
  if ('maybe' in flow) return `( ${flowText(flow.maybe)} )?`
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
  const names = Object.keys(roles)
  const node = (role: string) => `r${names.indexOf(role)}`
  const { first, last, edges, beside, boxes } = drawn(flow)
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
function boxLines(boxes: Drawn['boxes'], node: (role: string) => string): string[] {
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

interface Drawn {
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

function drawn(flow: Flow): Drawn {
  if (typeof flow === 'string')
    return {
      first: new Set([flow]),
      last: new Set([flow]),
      edges: [],
      beside: new Map(),
      boxes: [],
      mayBeNothing: false,
    }
  if (isSequence(flow)) return flow.map(drawn).reduce(followed)
  if ('either' in flow) return flow.either.map(drawn).reduce(joined)
  if ('maybe' in flow) return { ...drawn(flow.maybe), mayBeNothing: true }
  if ('beside' in flow) {
    const each = besideEach(flow)
    if (each) return together(each.map(drawn))
    const inner = drawn(flow.beside)
    const roles = rolesIn(inner)
    return { ...inner, beside: new Map([...roles].map((role) => [role, ` × ${countText(flow)}`])) }
  }
  const inner = drawn(flow.repeat)
  const last = flow.until === undefined ? inner.last : new Set([...inner.last, flow.until])
  return { ...inner, last, edges: unique([...inner.edges, ...between(inner.last, inner.first)]) }
}

const rolesIn = ({ first, last, edges }: Drawn) => new Set([...first, ...last, ...edges.flat()])

function together(parts: readonly Drawn[]): Drawn {
  const all = parts.reduce(joined)
  return {
    ...all,
    boxes: [rolesIn(all), ...all.boxes],
    mayBeNothing: parts.every(({ mayBeNothing }) => mayBeNothing),
  }
}

const followed = (a: Drawn, b: Drawn): Drawn => ({
  first: a.mayBeNothing ? new Set([...a.first, ...b.first]) : a.first,
  last: b.mayBeNothing ? new Set([...a.last, ...b.last]) : b.last,
  edges: unique([...a.edges, ...between(a.last, b.first), ...b.edges]),
  beside: new Map([...a.beside, ...b.beside]),
  boxes: [...a.boxes, ...b.boxes],
  mayBeNothing: a.mayBeNothing && b.mayBeNothing,
})

const joined = (a: Drawn, b: Drawn): Drawn => ({
  first: new Set([...a.first, ...b.first]),
  last: new Set([...a.last, ...b.last]),
  edges: unique([...a.edges, ...b.edges]),
  beside: new Map([...a.beside, ...b.beside]),
  boxes: [...a.boxes, ...b.boxes],
  mayBeNothing: a.mayBeNothing || b.mayBeNothing,
})

const between = (from: ReadonlySet<string>, to: ReadonlySet<string>) =>
  [...from].flatMap((a) => [...to].map((b): [string, string] => [a, b]))

const unique = (edges: readonly [string, string][]) => [
  ...new Map(edges.map((edge) => [edge.join('\n'), edge])).values(),
]

const countText = ({ most, times }: { most?: Count; times?: Count }) =>
  times === undefined ? `up to ${most}` : String(times)

function shapeOf(work: string | undefined, label: string): string {
  if (work === 'judge') return `{{"${label}"}}`
  if (work === 'decide') return `{"${label}"}`
  return work === 'summarise' ? `[/"${label}"/]` : `["${label}"]`
}
