import type { GraphPlan } from '../../schema/graph/plan.ts'
import { addedSteps } from './added-steps.ts'

/**
 * Returns the level of each step: 1 for steps that wait for nothing, else one more than the highest that it waits for. Steps
 * that are added at run time count with their most.
 */
export function planLevels({ steps }: GraphPlan): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  const least = new Map<string, number>()
  for (const step of steps) {
    const before = step.needs.map((id) => levels.get(id) ?? 0)
    const level = Math.max(0, least.get(step.id) ?? 0, ...before) + 1
    levels.set(step.id, level)
    for (const { before, depth } of addedSteps(step))
      for (const id of before) least.set(id, Math.max(least.get(id) ?? 0, level + depth))
  }
  return levels
}
