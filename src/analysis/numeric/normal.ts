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

/**
 * Returns the p-quantile of the standard normal distribution, p in (0, 1).
 * Source: Wichura 1988, AS 241, PPND16.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * horner(centre.above, r)) / horner(centre.below, r)
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)))
  const tail = r <= 5 ? middle : far
  const shifted = r <= 5 ? r - 1.6 : r - 5
  return (Math.sign(q) * horner(tail.above, shifted)) / horner(tail.below, shifted)
}

/** Returns the share of the standard normal distribution above z. Source: DLMF 7.11.2, the error function as an incomplete gamma function. */
export function normalTail(z: number): number {
  const tail = upperGamma(0.5, (z * z) / 2) / 2
  return z > 0 ? tail : 1 - tail
}

function horner(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0)
}

const centre = {
  above: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  below: [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
}

const middle = {
  above: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  below: [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
}

const far = {
  above: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  below: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    0.000018463183175100548, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
}
