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
  const { lower, upper, centre, pAnytime, settledAt } = look
  const estimate = look.estimate ?? pair.outcome.estimate
  const settled = settledAt !== null && !pair.outcome.missing?.decides
  return {
    ...pair,
    sequence: verdicts ? look : { ...look, pAnytime: null },
    outcome: {
      ...pair.outcome,
      ...{ estimate, lower, upper },
      outsideLimits: estimate !== null && ((lower ?? -1) > estimate || (upper ?? 1) < estimate),
      interval: lower === null ? null : 'confidence-sequence',
      refusal: look.refusal ?? pair.outcome.refusal,
    },
    // Each comparison gets an equal share of alpha, so p is multiplied by their number.
    adjustedP: verdicts && pAnytime !== null ? Math.min(1, comparisons * pAnytime) : null,
    verdict: !verdicts
      ? null
      : settled
        ? { word: 'better', method: (centre ?? (estimate as number)) > 0 ? pair.a : pair.b }
        : { word: 'not-established' },
  }
}
