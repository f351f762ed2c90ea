import type { Comparison, PairComparison } from '../../../analysis/compare/comparison.ts'
import { confidenceName } from '../../tables/method-columns.ts'
import { claimTestText } from '../claim-test.ts'
import { familySize, marginText } from '../pair-columns.ts'
import { formatP, levelOf, refusalText } from '../result-text.ts'
import { groupPairs } from './group-pairs.ts'

/** Returns a sentence for each pair whose interval, estimate and word seem to contradict each other. */
export function contradictionNotes(comparison: Comparison): string[] {
  const { pairs } = comparison
  const p = ({ outcome, adjustedP }: PairComparison) => {
    if (outcome.claimP === null) return ''
    const [own, adjusted] = [outcome.claimP, adjustedP].map((one) => formatP(one ?? 1, levelOf(comparison)))
    return own === adjusted ? `p ${own}` : `p ${own}, adjusted ${adjusted}`
  }
  return [
    ...groupPairs(pairs, (pair) => mismatchText(pair, comparison), p),
    ...groupPairs(pairs, ({ outcome, mismatch }) =>
      mismatch === null && isOnEdge(outcome)
        ? 'the estimate is at the edge of its limits, because the limits are of which method solves most epochs of a task.'
        : null,
    ),
    ...groupPairs(pairs, ({ outcome }) =>
      outcome.outsideLimits
        ? 'the estimate lies outside of its limits, because the limits are around the centre of the confidence sequence, which weighs tasks by their order.'
        : null,
    ),
  ]
}

function mismatchText(pair: PairComparison, comparison: Comparison): string | null {
  const { mismatch, verdict, outcome, equivalent } = pair
  switch (mismatch) {
    case null:
      return null
    case 'excludes-zero':
      return `the limits are clear of 0, but the word is not "better": ${notBetterBecause(pair, comparison)}.`
    case 'holds-zero':
      return 'the word is "better", but the limits hold 0: all task differences are equal, so the test is of their signs, and the limits are of which method solves most epochs of a task.'
    case 'exceeds-margin':
      return verdict?.word === 'equivalent'
        ? `the ${confidenceName(comparison)} limits reach beyond the margin: "equivalent" needs each side at the level ${levelOf(comparison)}, which is a ${narrowerName(comparison)} interval.`
        : `the limits reach beyond ${marginText(comparison.margin)}: they and the test against the margin come from two procedures.`
    case 'inside-margin':
      return `the limits are inside the margin, but ${outcome.nTasks} tasks do not exclude that rarer losses exceed it (limit ${(100 * (equivalent.guard?.limit ?? -1)).toFixed(1)}).`
  }
}

/** Returns why limits that are clear of 0 allow no claim. */
function notBetterBecause({ outcome, adjustedP }: PairComparison, comparison: Comparison): string {
  if (outcome.missing?.decides) return refusalText('missing-decides')
  const test = claimTestText(outcome)
  if (test === null || outcome.claimP === null || adjustedP === null)
    return outcome.refusal === null ? 'there is no test' : refusalText(outcome.refusal)
  const level = levelOf(comparison)
  return outcome.claimP < level
    ? `the limits are for the pair by itself, and its p is adjusted over ${familySize(comparison)} pairs`
    : `${limitsOf(outcome)}, and the claim goes by ${test}`
}

const limitsOf = ({ interval }: PairComparison['outcome']) =>
  interval === 'newcombe'
    ? "the limits are Newcombe's"
    : interval === 'paired-t'
      ? 'the limits are of the paired t'
      : 'the limits are of which method solves most epochs of a task'

const narrowerName = ({ confidence }: Comparison) =>
  confidenceName({ confidence: 1 - 2 * (1 - confidence) } as Comparison)

function isOnEdge({ interval, estimate, lower, upper }: PairComparison['outcome']): boolean {
  return interval === 'newcombe-majorities' && estimate !== 0 && (estimate === lower || estimate === upper)
}
