import type { Comparison, PairComparison } from '../../../analysis/compare/comparison.ts'
import { groupPairs } from './group-pairs.ts'

/** Returns warnings about procedures that claim too often on such data. */
export function procedureWarnings({ pairs }: Comparison): string[] {
  const warn = (warning: PairComparison['warnings'][number], text: string) =>
    groupPairs(pairs, ({ warnings }) => (warnings.includes(warning) ? text : null))
  return [
    ...warn(
      'rare-failures',
      'few tasks are lost whole by one method, and the others differ little. There the t test claims too often; more tasks help, more epochs do not.',
    ),
    ...warn(
      'skewed-differences',
      'the differences of tasks are skewed. There the asymptotic stop rule settles too often.',
    ),
  ]
}

/** Returns warnings about suites that disagree with each other or with the verdict. */
export function suiteWarnings({ pairs }: Comparison): string[] {
  return groupPairs(pairs, (pair) => {
    switch (pair.suites?.disagreement) {
      case 'opposite':
        return `suites point in opposite directions: ${sidesText(pair, pair.suites.clearlyForA, pair.suites.clearlyForB)}, by limits that are clear of 0. One verdict over both hides that.`
      case 'against-verdict':
        return `suites point in opposite directions: the estimate is for ${sidesText(pair, pair.suites.forA, pair.suites.forB)}.`
      case 'uneven':
        return 'its differences vary over suites more than chance explains.'
      default:
        return null
    }
  })
}

const sidesText = ({ a, b }: PairComparison, forA: readonly string[], forB: readonly string[]) =>
  `${a} on ${forA.join(', ')}; ${b} on ${forB.join(', ')}`
