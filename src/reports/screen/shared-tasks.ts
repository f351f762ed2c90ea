import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import { counted } from '../words/numbers.ts'
import { rangeText } from './short-text.ts'

/** More pairs than this are counted instead of named. */
const mostNamed = 2

/** Warns of differences over fewer tasks than the rows are, and of those outside of what the missing trials allow. */
export function sharedTaskWarnings({ pairs }: Comparison): string[] {
  const partial = pairs.filter(({ outcome }) => outcome.nDropped > 0 && outcome.nTasks > 0)
  if (partial.length <= mostNamed) return partial.map(pairText)
  const outside = partial.filter(({ outcome }) => outcome.missing?.excludesEstimate).length
  const beyond = outside === 0 ? '' : `; ${outside} of them are outside of what the missing trials allow`
  return [`the differences of ${counted(partial.length, 'pair')} are over the tasks that both have${beyond}.`]
}

function pairText({ a, b, outcome: { nTasks, nDropped, missing } }: PairComparison): string {
  const over = `${a} than ${b}: the difference is over the ${nTasks} of ${nTasks + nDropped} tasks that both have`
  if (!missing?.excludesEstimate || missing.low === null || missing.high === null) return `${over}.`
  const range = rangeText({ lower: missing.low, upper: missing.high })
  return `${over}; with the missing trials it would be ${range}: trust these.`
}
