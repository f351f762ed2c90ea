import type { GraphNode } from '../../schema/method/declaration.ts'
import { branchName } from '../state/branch.ts'
import type { Item, Line } from '../state/call-order.ts'

/** Whether an item is a graph: a branch of its own, whose steps are branches under it. */
export const isGraph = (item: Item): item is { lines: [Line] } =>
  'lines' in item && item.lines.length === 1 && /(?:^|\/)graph(?:~\d+)?$/.test(item.lines[0]?.path ?? '')

/**
 * Returns where the asks of a graph differ from its declared steps, compared by id; undefined if they do not. Steps in
 * `unfinished` (paths of branches) failed or were skipped, and need not have asked. With `early` none need.
 */
export function graphDeviation(
  nodes: readonly GraphNode[],
  { path, items }: Line,
  unfinished: ReadonlySet<string>,
  early: boolean,
): string | undefined {
  const declared = new Map(nodes.map((node) => [branchName(node.id), node]))
  const asked = new Set<string>()
  for (const line of items.flatMap((item) => ('lines' in item ? item.lines : []))) {
    const name = line.path.slice(path.length + 1)
    asked.add(name)
    const roles = rolesAllowed(name, declared, nodes)
    if (!roles) return `step "${name}" asked ${rolesIn(line)[0]}, but is not declared`
    const other = rolesIn(line).find((role) => !roles.includes(role))
    if (other !== undefined) return `step "${name}" asked ${other}, declared is ${roles.join(' or ')}`
  }
  if (early) return undefined
  const missing = [...declared].find(([name]) => !asked.has(name) && !unfinished.has(`${path}/${name}`))
  return missing && `step "${missing[1].id}" asked nobody, declared is ${missing[1].role}`
}

/** Whether no step of a declared graph needed to ask anybody. */
export const mayBeSilent = (nodes: readonly GraphNode[], unfinished: ReadonlySet<string>): boolean =>
  nodes.every(({ id }) => [...unfinished].some((path) => path.endsWith(`/${branchName(id)}`)))

function rolesAllowed(
  name: string,
  declared: ReadonlyMap<string, GraphNode>,
  nodes: readonly GraphNode[],
): readonly string[] | undefined {
  const own = declared.get(name)
  if (own) return [own.role]
  const added = nodes.flatMap(({ inserts }) =>
    inserts && name.startsWith(branchName(inserts.prefix)) ? inserts.roles : [],
  )
  return added.length > 0 ? added : undefined
}

const rolesIn = ({ items }: Line): string[] =>
  items.flatMap((item) => ('role' in item ? [item.role] : item.lines.flatMap(rolesIn)))
