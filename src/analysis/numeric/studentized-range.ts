import { bisect } from 'simple-statistics'
import { normalTail } from './normal.ts'

/**
 * Returns the (1 - alpha)-quantile of the range of k independent standard normal numbers (studentized range, infinite degrees
 * of freedom); absolute error below 1e-8. The distribution function k ∫ φ(z) (Φ(z) - Φ(z - q))^(k-1) dz (David and
 * Nagaraja 2003, 2.3) by the trapezoidal rule, which converges exponentially here.
 */
export function studentizedRangeQuantile(alpha: number, k: number): number {
  return bisect((q) => rangeShare(q, k) - (1 - alpha), 0, 100, 60, 1e-9)
}

function rangeShare(q: number, k: number): number {
  const width = 1 / 4
  let sum = 0
  for (let z = -9; z <= 9 + q; z += width) {
    const inside = normalTail(z - q) - normalTail(z)
    sum += Math.exp((-z * z) / 2) * inside ** (k - 1)
  }
  return (k * sum * width) / Math.sqrt(2 * Math.PI)
}
