import type { Comparison, Frontier } from '../../../analysis/compare/comparison.ts'
import { counted } from '../../words/numbers.ts'

const names = { tokens: 'tokens', costUsd: 'cost' } as const
const kinds = ['tokens', 'costUsd'] as const

/** Whether some method is not on a frontier in all resamples; else a table of it has no news. */
export function hasFrontierNews({ frontiers }: Comparison): boolean {
  return kinds.some((kind) => frontiers[kind].points.some(({ membership }) => membership !== 1))
}

/** Returns notes on the frontiers: that all methods are on them, the tasks that they are over, the cheapest method. */
export function frontierNotes(comparison: Comparison): string[] {
  const { frontiers, methods, resamples } = comparison
  return [
    ...(hasFrontierNews(comparison)
      ? []
      : [
          `All ${methods.length} methods are on the frontiers of success with tokens and with cost, in all of ${resamples} resamples of tasks.`,
        ]),
    ...kinds.flatMap((kind) => taskNotes(frontiers[kind], names[kind])),
    ...cheapestNotes(comparison),
  ]
}

function taskNotes({ nTasks, nDropped }: Frontier, name: string): string[] {
  if (nDropped === 0 || nTasks === 0) return []
  return [
    `The frontier of ${name} and its success are over ${nTasks} of ${counted(nTasks + nDropped, 'task')}: those on which the ${name} of every method is known.`,
  ]
}

function cheapestNotes({ frontiers }: Comparison): string[] {
  const groups = new Map<string, string[]>()
  for (const kind of kinds)
    for (const { label, cheapest, success, onFrontier } of frontiers[kind].points)
      if (cheapest && onFrontier && success === 0)
        groups.set(label, [...(groups.get(label) ?? []), names[kind]])
  return [...groups].map(
    ([label, by]) =>
      `${label} solved nothing and is on the frontier of ${by.join(' and ')} because it spends least.`,
  )
}
