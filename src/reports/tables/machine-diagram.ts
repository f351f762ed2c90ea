import type { MachineNode } from '../../schema/method/declaration.ts'

const rolesText = (roles: readonly string[], between: string) =>
  roles.length > 1 ? `[ ${roles.join(between)} ]` : (roles[0] ?? '')

/** Returns a declared machine on one line: `start → draft; draft [ anna ‖ ben ] → check or halt; done`. */
export const machineText = (nodes: readonly MachineNode[]): string =>
  nodes
    .map(({ state, roles, next }) => {
      const who = rolesText(roles, ' ‖ ')
      return `${state}${who === '' ? '' : ` ${who}`}${next.length > 0 ? ` → ${next.join(' or ')}` : ''}`
    })
    .join('; ')

/** Returns a declared machine as a Mermaid flowchart: a node for each state, an arrow to each state that may follow. */
export function machineMermaid(nodes: readonly MachineNode[]): string {
  const place = new Map(nodes.map(({ state }, i) => [state, `s${i}`]))
  const label = ({ state, roles }: MachineNode) =>
    roles.length > 0 ? `["${state}: ${roles.join(', ')}"]` : `(["${state}"])`
  return [
    'flowchart TD',
    ...nodes.map((node) => `  ${place.get(node.state)}${label(node)}`),
    ...nodes.flatMap(({ state, next }) => next.map((to) => `  ${place.get(state)} --> ${place.get(to)}`)),
  ].join('\n')
}

/** Returns the roles of a declared machine, in a flow that has other parts, too: who may be asked first, last, and after whom. */
export function machineOfRoles(nodes: readonly MachineNode[]): {
  first: ReadonlySet<string>
  last: ReadonlySet<string>
  edges: [from: string, to: string][]
} {
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
    first: new Set(rolesBehind(nodes.slice(0, 1).map(({ state }) => state))),
    last: new Set(nodes.filter(isLast).flatMap(({ roles }) => roles)),
    edges: [...new Map(pairs.map((pair) => [pair.join('\n'), pair])).values()],
  }
}
