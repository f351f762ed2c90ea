import type { StopRuleState } from './check-stop-rule.ts'
import type { ComparedPair } from './comparison.ts'

/** Returns the pair with the limits, p and verdict of the stop rule's sequence in place of those for a fixed number of tasks. */
export function applyStopRule(
  pair: ComparedPair,
  { pairs, comparisons }: StopRuleState,
  { verdicts }: { verdicts: boolean },
): ComparedPair {
  const look = pairs.find(({ a, b }) => a === pair.a && b === pair.b)?.look ?? null
  if (look === null) return pair
  const { estimate, lower, upper, pAnytime, settledAt } = look
  const settled = settledAt !== null && !pair.outcome.missing?.decides
  return {
    ...pair,
    sequence: verdicts ? look : { ...look, pAnytime: null },
    outcome: {
      ...pair.outcome,
      estimate: estimate ?? pair.outcome.estimate,
      lower,
      upper,
      interval: lower === null ? null : 'confidence-sequence',
      refusal: look.refusal ?? pair.outcome.refusal,
    },
    // Each comparison gets an equal share of alpha, so p is multiplied by their number.
    adjustedP: verdicts && pAnytime !== null ? Math.min(1, comparisons * pAnytime) : null,
    verdict: !verdicts
      ? null
      : settled
        ? { word: 'better', method: (estimate as number) > 0 ? pair.a : pair.b }
        : { word: 'not-established' },
  }
}
