import { gammaln } from 'simple-statistics'

/**
 * Regularized incomplete beta function I_x(a, b), the distribution function of Beta(a, b), good to about 1e-13.
 * Source: continued fraction DLMF 8.17.22, evaluated by the modified Lentz method (Numerical Recipes, 6.4).
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b))
  // The fraction converges fast only on this side of the mean; the other side is its mirror.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

/** The x with I_x(a, b) = p. a, b > 0. Newton's method, kept inside a shrinking bracket, so that it always ends. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0
  if (p >= 1) return 1
  let low = 0
  let high = 1
  let x = a / (a + b)
  for (let round = 0; round < 200; round++) {
    const miss = incompleteBeta(x, a, b) - p
    if (miss === 0) return x
    if (miss < 0) low = x
    else high = x
    const density = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta(a, b))
    const newton = x - miss / density
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - x) <= 1e-15 * x || next === low || next === high) return next
    x = next
  }
  return x
}

function logBeta(a: number, b: number): number {
  return gammaln(a) + gammaln(b) - gammaln(a + b)
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  // Rounds grow with the square root of a and b: 10,000 are enough for any number of trials that fits on a disk.
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return value
}
