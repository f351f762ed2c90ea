import type { GraphNode } from '../../schema/method/declaration.ts'

/** How many steps of a declared graph a line names. */
const named = 8

/** Returns a declared graph on one line: `{ a: writer, b: critic after a }`. */
export function graphText(nodes: readonly GraphNode[]): string {
  const texts = nodes.slice(0, named).map(({ id, role, after = [], inserts }) => {
    const needs = after.length > 0 ? ` after ${after.join(' and ')}` : ''
    const adds = inserts ? `, which may add ${inserts.prefix}…: ${inserts.roles.join(' or ')}` : ''
    return `${id}: ${role}${needs}${adds}`
  })
  const more = nodes.length > named ? [`and ${nodes.length - named} more steps`] : []
  return `{ ${[...texts, ...more].join('; ')} }`
}

/** Returns a declared graph as a Mermaid flowchart: a node for each step, an arrow from each step that it depends on. */
export function graphMermaid(
  nodes: readonly GraphNode[],
  workOf: (role: string) => string | undefined,
): string {
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

/** Returns the roles of a declared graph, in a flow that has other parts, too: who may be asked first, last, and after whom. */
export function graphOfRoles(nodes: readonly GraphNode[]): {
  first: ReadonlySet<string>
  last: ReadonlySet<string>
  edges: [from: string, to: string][]
} {
  const roleOf = new Map(nodes.map(({ id, role }) => [id, role]))
  const needed = new Set(nodes.flatMap(({ after = [] }) => after))
  const pairs = nodes.flatMap(({ role, after = [], inserts }): [string, string][] => [
    ...after.map((need): [string, string] => [roleOf.get(need) ?? role, role]),
    ...(inserts?.roles ?? []).map((added): [string, string] => [role, added]),
  ])
  return {
    first: new Set(nodes.filter(({ after = [] }) => after.length === 0).map(({ role }) => role)),
    last: new Set(nodes.filter(({ id }) => !needed.has(id)).map(({ role }) => role)),
    edges: [...new Map(pairs.map((pair) => [pair.join('\n'), pair])).values()],
  }
}

/** Returns a Mermaid node's shape for a kind of work, around its label. */
export function shapeOf(work: string | undefined, label: string): string {
  if (work === 'judge') return `{{"${label}"}}`
  if (work === 'decide') return `{"${label}"}`
  return work === 'summarise' ? `[/"${label}"/]` : `["${label}"]`
}
