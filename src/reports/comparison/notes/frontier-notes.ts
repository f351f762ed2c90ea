import type { Comparison } from '../../../analysis/compare/comparison.ts'
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
  const { methods, resamples } = comparison
  const least = leastMembership(comparison)
  const share = least === 1 ? 'all' : `at least ${formatShare(least)}%`
  return [
    ...(hasFrontierNews(comparison)
      ? []
      : [
          `${methods.length === 2 ? 'Both methods' : `All ${methods.length} methods`} are on the frontiers of tokens and of cost in ${share} of ${resamples} resamples.`,
        ]),
    ...taskNotes(comparison),
    ...cheapestNotes(comparison),
  ]
}

/** Says which frontiers, and the success in them, are over fewer tasks than methods have. */
function taskNotes({ frontiers }: Comparison): string[] {
  const groups = new Map<string, string[]>()
  for (const kind of kinds) {
    const { nTasks, nDropped } = frontiers[kind]
    if (nDropped === 0 || nTasks === 0) continue
    const tasks = `${nTasks} of ${counted(nTasks + nDropped, 'task')}`
    groups.set(tasks, [...(groups.get(tasks) ?? []), names[kind]])
  }
  return [...groups].map(
    ([tasks, of]) =>
      `The frontier of ${of.join(' and ')} is over ${tasks}, and so is the success in it: those on which every method has a value.`,
  )
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
