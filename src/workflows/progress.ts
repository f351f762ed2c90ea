/**
 * Whether none of the last `patience` scores is better than the one before it (the ADC document's ProgressTracker, with a
 * patience of 2). Pass the scores of one contract.
 */
export function isStuck(scores: readonly number[], patience: number): boolean {
  if (scores.length <= patience) return false
  const last = scores.slice(-patience - 1)
  return last.every((score, i) => i === 0 || score <= (last[i - 1] as number))
}

/** The maximum number of rounds of two nested loops. */
interface LoopLimits {
  maxOuter: number
  maxInner: number
}

/**
 * Returns limits that fit the difficulty: from 1 round, if the first compliance is already the wanted one, linearly up to the given
 * limits, if the first compliance is 0.
 */
export function adaptedLimits(limits: LoopLimits, compliance: number, wanted: number): LoopLimits {
  const missing = wanted <= 0 ? 0 : Math.min(1, Math.max(0, 1 - compliance / wanted))
  const adapt = (max: number) => 1 + Math.ceil((max - 1) * missing)
  return { maxOuter: adapt(limits.maxOuter), maxInner: adapt(limits.maxInner) }
}
