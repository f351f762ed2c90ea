import { gammaln } from 'simple-statistics'

/**
 * Computes the regularized incomplete beta function I_x(a, b), the share of Beta(a, b) below x. Relative error about 1e-13,
 * 1e-10 if a or b is about 1e5. If x is near 1, `complement` (1 - x) may be given in full precision.
 * Source: continued fraction DLMF 8.17.22, evaluated by the modified Lentz method (Numerical Recipes, 6.4).
 */
export function incompleteBeta(x: number, a: number, b: number, complement = 1 - x): number {
  if (x <= 0) return 0
  if (complement <= 0) return 1
  const front = Math.exp(a * logOf(x, complement) + b * logOf(complement, x) - logBeta(a, b))
  // The fraction converges fast only on this side of the mean; the other side is symmetric.
  return x < (a + 1) / (a + b + 2)
    ? (front * fraction(x, a, b)) / a
    : 1 - (front * fraction(complement, b, a)) / b
}

/** Returns the x with I_x(a, b) = p; a, b > 0. Newton's method inside a shrinking bracket, so it always ends. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0
  if (p >= 1) return 1
  let low = 0
  let high = 1
  let x = firstGuess(p, a, b)
  for (let round = 0; round < 300; round++) {
    const miss = incompleteBeta(x, a, b) - p
    if (miss === 0) return x
    if (miss < 0) low = x
    else high = x
    const density = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta(a, b))
    const newton = x - miss / density
    const next = newton > low && newton < high ? newton : between(low, high)
    if (Math.abs(next - x) <= 1e-15 * x || next === low || next === high) return next
    x = next
  }
  return x
}

// With a small a nearly all of the lower tail is close to 0, where I_x is x^a / (a B(a, b)).
function firstGuess(p: number, a: number, b: number): number {
  const middle = a / (a + b)
  return a < 1 ? Math.max(1e-300, Math.min(middle, Math.exp((Math.log(p * a) + logBeta(a, b)) / a))) : middle
}

// Halving would need a thousand rounds to reach the smallest numbers.
function between(low: number, high: number): number {
  if (low === 0) return high > 1e-3 ? high / 2 : high * 1e-3
  return high > 4 * low ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2
}

// The smaller of x and 1 - x is the exact one.
function logOf(x: number, complement: number): number {
  return x < complement ? Math.log(x) : Math.log1p(-complement)
}

function logBeta(a: number, b: number): number {
  return a < b ? gammaln(a) + logGammaStep(b, a) : gammaln(b) + logGammaStep(a, b)
}

// log Γ(x) - log Γ(x + step): by Stirling's series for large x, where the two values cancel (DLMF 5.11.1).
function logGammaStep(x: number, step: number): number {
  if (x < 15) return gammaln(x) - gammaln(x + step)
  const main = step - (x + step - 0.5) * Math.log1p(step / x) - step * Math.log(x)
  return main + stirlingRest(x) - stirlingRest(x + step)
}

function stirlingRest(x: number): number {
  const square = x * x
  return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / x
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  // The number of rounds grows with the square root of a and b; 10,000 are enough for any realistic number of trials.
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
