import type { Output } from './list-outputs.ts'
import type { Site } from './list-states.ts'

/** Transitions after which an output of the visit is there. Of a fan-out that succeeds in part it is that of some agent. */
const successes = ['all_success', 'partial_success', 'success', 'proceed', 'retry', 'halt']

/**
 * Returns whether outputs of an output's state are there whenever another state begins: whether each way to that state passes the
 * first, and leaves it with success the last time.
 */
export function isSure({ site, agent }: Output, state: Site, sites: readonly Site[]): boolean {
  if (agent === undefined) return false
  const byName = new Map(sites.map((one) => [one.name, one]))
  const reached = new Set<string>()
  const open = sites.flatMap(({ name, type }) => (type === 'initial' ? [name] : []))
  // Follows the ways on which the output is not there. After a failure of its state it is there no longer.
  const failed = site.edges.filter(({ label }) => !successes.includes(label)).map(({ means }) => means)
  const isReachable = open.length > 0
  if (!isReachable) return true
  open.push(...failed)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const one = byName.get(name)
    if (!one || reached.has(name)) continue
    reached.add(name)
    if (one !== site) open.push(...one.edges.map(({ means }) => means))
  }
  return !reached.has(state.name)
}
