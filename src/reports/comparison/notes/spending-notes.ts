import type { Comparison, PairComparison, Spent } from '../../../analysis/compare/comparison.ts'
import { formatShare } from '../../words/numbers.ts'
import { ratioText } from '../../words/ratio-text.ts'
import { pairName } from '../pair-columns.ts'
import { formatDifference } from '../result-text.ts'
import { groupPairs } from './group-pairs.ts'

const spents: readonly Spent[] = ['tokens', 'costUsd', 'durationMs']
const nameOf: Readonly<Record<Spent, string>> = { tokens: 'tokens', costUsd: 'cost', durationMs: 'time' }

/** Returns notes on the spending of pairs: claims, other tasks than those of the outcome, tasks that hold much of it. */
export function spendingNotes(comparison: Comparison): string[] {
  const { pairs } = comparison
  return [
    ...claimNotes(pairs),
    ...groupPairs(pairs, (pair) => otherTasksText(pair, comparison.outcome)),
    ...largestNotes(pairs),
  ]
}

/** Giving up early is no saving, so less spending counts only of a method that is better or not worse. */
function claimNotes(pairs: readonly PairComparison[]): string[] {
  const claims = pairs.flatMap((pair) =>
    [pair.a, pair.b].flatMap((side) => {
      const kinds = spents.filter((spent) => pair.spent[spent].atEqualSuccess === side)
      const other = side === pair.a ? pair.b : pair.a
      return kinds.length === 0
        ? []
        : [`${side} than ${other} (${kinds.map((kind) => nameOf[kind]).join(', ')})`]
    }),
  )
  return claims.length === 0 ? [] : [`Spends less, and is better or not worse: ${claims.join('; ')}.`]
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

/** Returns a note for each task that holds much of a method's spending, with the ratios of its pairs without it. */
function largestNotes(pairs: readonly PairComparison[]): string[] {
  const groups = new Map<string, string[]>()
  for (const pair of pairs)
    for (const kind of ['tokens', 'costUsd'] as const) {
      const { largest } = pair.spent[kind]
      if (!largest) continue
      const rest = largest.ratioWithout === null ? 'no ratio' : ratioText(largest.ratioWithout)
      const text = `${largest.task} holds ${formatShare(largest.share)}% of the ${nameOf[kind]} of ${pair.b}`
      groups.set(text, [...(groups.get(text) ?? []), `${rest} for ${pairName(pair)}`])
    }
  return [...groups].map(([text, rest]) => `${text}; without it ${rest.join(', ')}.`)
}
