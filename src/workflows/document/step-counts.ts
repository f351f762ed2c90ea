import { asMap, type RawMap } from '../../yaml/raw.ts'
import type { Site } from './list-sites.ts'

/** Most steps of a plan, those that may be added at run time included. */
export const maxSteps = 2000

/** Returns the most steps that a site itself can become, without the nodes inside of it. */
function stepsOf({ node, pattern, inside }: Site): number {
  if (pattern !== undefined) return 0
  const around = inside?.site
  const number = (field: string, fallback: number) =>
    typeof around?.node[field] === 'number' ? around.node[field] : fallback
  switch (inside && `${around?.pattern} ${inside.slot}`) {
    case 'debate debaters':
      return number('rounds', 2)
    case 'planner_executor executor':
      return number('max_steps', 5)
    case 'hierarchical boss':
      return number('rounds', 1) * (1 + number('max_tasks', 4))
    case 'hierarchical workers':
      return 0
    default:
      return node ? 1 : 0
  }
}

/** Returns the most steps that a workflow can become. */
export const countSteps = (sites: readonly Site[]): number =>
  sites.reduce((sum, site) => sum + stepsOf(site), 0)

/** Returns how many parts a field of a pattern has by name. */
export const countParts = (node: RawMap, field: string): number | undefined => {
  const parts = asMap(node[field])
  return parts && Object.keys(parts).length
}
