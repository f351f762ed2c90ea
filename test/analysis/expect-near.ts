import { expect } from 'vitest'

/** Expects two numbers that may differ in their last digits, or two nulls. */
export function expectNear(got: number | null, want: number | null): void {
  if (got === null || want === null) expect(got).toBe(want)
  else expect(Math.abs(got - want)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(want)))
}
