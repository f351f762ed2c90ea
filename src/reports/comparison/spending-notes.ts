import type { Comparison, PairComparison, Spent } from '../../analysis/compare/comparison.ts'
import { counted, formatPercent, present, ratioText } from '../words/numbers.ts'
import { formatDifference } from '../words/result-text.ts'
import { groupPairs, spendingClaims } from './claim-notes.ts'
import { pairName } from './pair-columns.ts'

const spents: readonly Spent[] = ['tokens', 'costUsd', 'durationMs']
const nameOf: Readonly<Record<Spent, string>> = { tokens: 'tokens', costUsd: 'cost', durationMs: 'time' }

/** Returns notes on the spending of pairs: claims, other tasks than those of the outcome, tasks that hold much of it. */
export function spendingNotes(comparison: Comparison): string[] {
  const { pairs } = comparison
  return [
    ...spendingClaims(comparison),
    ...groupPairs(pairs, (pair) => otherTasksText(pair, comparison.outcome)),
    ...largestNotes(pairs),
  ]
}

function otherTasksText({ spent, outcome }: PairComparison, name: string): string | null {
  const texts = spents.flatMap((kind) => {
    const { nTasks, success } = spent[kind]
    if (nTasks === 0 || nTasks === outcome.nTasks) return []
    const difference = formatDifference(success, { scale: 100, decimals: 1 })
    return [`${nameOf[kind]} over ${nTasks} tasks, where the difference in ${name} is ${difference} points`]
  })
  return texts.length === 0 ? null : `${texts.join('; ')}; the table of pairs has ${outcome.nTasks} tasks.`
}

function largestNotes(pairs: readonly PairComparison[]): string[] {
  const groups = new Map<string, string[]>()
  for (const pair of pairs)
    for (const kind of ['tokens', 'costUsd'] as const) {
      const { largest } = pair.spent[kind]
      if (!largest) continue
      const rest = largest.ratioWithout === null ? 'no ratio' : ratioText(largest.ratioWithout)
      const text = `${largest.task} holds ${formatPercent(largest.share)} of the ${nameOf[kind]} of ${largest.of}`
      groups.set(text, [...(groups.get(text) ?? []), `${rest} for ${pairName(pair)}`])
    }
  return [...groups].map(([text, rest]) => `${text}; without it ${rest.join(', ')}.`)
}

const frontierNames = { tokens: 'tokens', costUsd: 'cost' } as const
const frontierKinds = ['tokens', 'costUsd'] as const

/** From this share of resamples on a method is called on the frontier. */
const surely = 0.95

/** Whether some method is not surely on a frontier; else a table of them has no news. */
export const hasFrontierNews = (comparison: Comparison): boolean => leastMembership(comparison) < surely

function leastMembership({ frontiers }: Comparison): number {
  return frontierKinds
    .flatMap((kind) => frontiers[kind].points.map(({ membership }) => membership ?? 0))
    .reduce((least, share) => Math.min(least, share), 1)
}

/** Returns notes on the frontiers: that all methods are on them, the tasks that they are over, the cheapest method. */
export function frontierNotes(comparison: Comparison): string[] {
  const { methods, resamples } = comparison
  const least = leastMembership(comparison)
  const share = least === 1 ? 'all' : `at least ${formatPercent(least)}`
  return present([
    !hasFrontierNews(comparison) &&
      `${methods.length === 2 ? 'Both methods' : `All ${methods.length} methods`} are on the frontiers of tokens and of cost in ${share} of ${resamples} resamples.`,
    ...taskNotes(comparison),
    ...cheapestNotes(comparison),
  ])
}

function taskNotes({ frontiers }: Comparison): string[] {
  const groups = new Map<string, string[]>()
  for (const kind of frontierKinds) {
    const { nTasks, nDropped } = frontiers[kind]
    if (nDropped === 0 || nTasks === 0) continue
    const tasks = `${nTasks} of ${counted(nTasks + nDropped, 'task')}`
    groups.set(tasks, [...(groups.get(tasks) ?? []), frontierNames[kind]])
  }
  return [...groups].map(
    ([tasks, of]) =>
      `The frontier of ${of.join(' and ')} is over ${tasks}, and so is the success in it: those on which every method has a value.`,
  )
}

function cheapestNotes({ frontiers }: Comparison): string[] {
  const groups = new Map<string, string[]>()
  for (const kind of frontierKinds)
    for (const { label, cheapest, success, onFrontier } of frontiers[kind].points)
      if (cheapest && onFrontier && success === 0)
        groups.set(label, [...(groups.get(label) ?? []), frontierNames[kind]])
  return [...groups].map(
    ([label, by]) =>
      `${label} solved nothing and is on the frontier of ${by.join(' and ')} because it spends least.`,
  )
}
