import type { Comparison, Frontier } from '../../../analysis/compare/comparison.ts'
import { counted, formatShare } from '../../words/numbers.ts'

const names = { tokens: 'tokens', costUsd: 'cost' } as const
const kinds = ['tokens', 'costUsd'] as const

/** From this share of resamples on a method is called on the frontier. */
const surely = 0.95

/** Whether some method is not surely on a frontier; else a table of them has no news. */
export const hasFrontierNews = (comparison: Comparison): boolean => leastMembership(comparison) < surely

function leastMembership({ frontiers }: Comparison): number {
  return kinds
    .flatMap((kind) => frontiers[kind].points.map(({ membership }) => membership ?? 0))
    .reduce((least, share) => Math.min(least, share), 1)
}

/** Returns notes on the frontiers: that all methods are on them, the tasks that they are over, the cheapest method. */
export function frontierNotes(comparison: Comparison): string[] {
  const { frontiers, methods, resamples } = comparison
  const least = leastMembership(comparison)
  const share = least === 1 ? 'all' : `at least ${formatShare(least)}%`
  return [
    ...(hasFrontierNews(comparison)
      ? []
      : [
          `${methods.length === 2 ? 'Both methods' : `All ${methods.length} methods`} are on the frontiers of success with tokens and with cost, in ${share} of ${resamples} resamples of tasks.`,
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
