/**
 * Whether the last `patience` runs brought no improvement, each against the one before it (the ADC document's
 * ProgressTracker, whose patience is 2). Scores are those of one contract: a new contract begins a new list.
 */
export function isStuck(scores: readonly number[], patience: number): boolean {
  if (scores.length <= patience) return false
  const last = scores.slice(-patience - 1)
  return last.every((score, i) => i === 0 || score <= (last[i - 1] as number))
}

/** Most rounds of two nested loops. */
interface LoopLimits {
  maxOuter: number
  maxInner: number
}

/**
 * Limits that fit the difficulty as observed: the further the first compliance is from what is wanted, the more
 * rounds are allowed. Linear from 1 (nothing is missing) to the limits as given (all is missing), never above them.
 */
export function adaptedLimits(limits: LoopLimits, compliance: number, wanted: number): LoopLimits {
  const missing = wanted <= 0 ? 0 : Math.min(1, Math.max(0, 1 - compliance / wanted))
  const adapt = (max: number) => 1 + Math.ceil((max - 1) * missing)
  return { maxOuter: adapt(limits.maxOuter), maxInner: adapt(limits.maxInner) }
}
