import { Decimal } from 'decimal.js'

/** Real numbers with 100 digits: unlike values do not agree in so many by chance. */
export const Real = Decimal.clone({ precision: 100, toExpNeg: -1e9, toExpPos: 1e9 })
export type Real = Decimal

/** A complex number. A part that is not defined is NaN. */
export interface Complex {
  re: Real
  im: Real
}

export const real = (value: Decimal.Value): Complex => ({ re: new Real(value), im: zero })

const zero = new Real(0)
const one = real(1)
/** Where no value is defined. */
export const nowhere: Complex = { re: new Real(Number.NaN), im: zero }
export const imaginary: Complex = { re: zero, im: new Real(1) }
export const pi: Real = Real.acos(-1)

export const isReal = ({ im }: Complex): boolean => im.isZero()
export const isDefined = ({ re, im }: Complex): boolean => re.isFinite() && im.isFinite()

export const add = (a: Complex, b: Complex): Complex => ({ re: a.re.plus(b.re), im: a.im.plus(b.im) })
export const negate = (a: Complex): Complex => ({ re: a.re.neg(), im: a.im.neg() })

export function multiply(a: Complex, b: Complex): Complex {
  if (isReal(a) && isReal(b)) return { re: a.re.times(b.re), im: zero }
  return {
    re: a.re.times(b.re).minus(a.im.times(b.im)),
    im: a.re.times(b.im).plus(a.im.times(b.re)),
  }
}

export function divide(a: Complex, b: Complex): Complex {
  if (isReal(b)) return b.re.isZero() ? nowhere : { re: a.re.div(b.re), im: a.im.div(b.re) }
  const square = b.re.times(b.re).plus(b.im.times(b.im))
  const product = multiply(a, { re: b.re, im: b.im.neg() })
  return { re: product.re.div(square), im: product.im.div(square) }
}

export const modulus = ({ re, im }: Complex): Real =>
  im.isZero() ? re.abs() : re.times(re).plus(im.times(im)).sqrt()

/** Larger exponents and angles are not computed: their time or their digits would have no bound. */
const largest = 1e6

export function exponential({ re, im }: Complex): Complex {
  if (!(re.abs().lte(largest) && im.abs().lte(largest))) return nowhere
  const size = re.exp()
  return im.isZero() ? { re: size, im: zero } : { re: size.times(im.cos()), im: size.times(im.sin()) }
}

export function logarithm(a: Complex): Complex {
  const size = modulus(a)
  if (size.isZero()) return nowhere
  return { re: size.ln(), im: isReal(a) && a.re.gt(0) ? zero : Real.atan2(a.im, a.re) }
}

/** A power. Roots of negative numbers with an odd index are real, as in schools. */
export function power(base: Complex, exponent: Complex): Complex {
  if (!(isDefined(base) && isDefined(exponent)) || modulus(exponent).gt(largest)) return nowhere
  if (isReal(exponent) && exponent.re.isInteger()) return wholePower(base, exponent.re.toNumber())
  if (base.re.isZero() && isReal(base)) return exponent.re.gt(0) ? real(0) : nowhere
  if (!isReal(base) || !isReal(exponent)) return exponential(multiply(exponent, logarithm(base)))
  if (base.re.gt(0)) return { re: base.re.pow(exponent.re), im: zero }
  const index = oddIndices.find((index) => isWhole(exponent.re.times(index)))
  if (index === undefined) return exponential(multiply(exponent, logarithm(base)))
  const size = base.re.neg().pow(exponent.re)
  const isOdd = !exponent.re.times(index).round().mod(2).isZero()
  return { re: isOdd ? size.neg() : size, im: zero }
}

const oddIndices = [3, 5, 7, 9, 11]
const isWhole = (value: Real) => value.minus(value.round()).abs().lt('1e-90')

function wholePower(base: Complex, exponent: number): Complex {
  if (exponent < 0) return divide(one, wholePower(base, -exponent))
  if (isReal(base)) return { re: base.re.pow(exponent), im: zero }
  let [result, square] = [one, base]
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(result, square)
    square = multiply(square, square)
  }
  return result
}

export function squareRoot(a: Complex): Complex {
  if (isReal(a)) return a.re.lt(0) ? { re: zero, im: a.re.neg().sqrt() } : { re: a.re.sqrt(), im: zero }
  const size = modulus(a)
  const im = size.minus(a.re).div(2).sqrt()
  return { re: size.plus(a.re).div(2).sqrt(), im: a.im.lt(0) ? im.neg() : im }
}

export function sine(a: Complex): Complex {
  if (modulus(a).gt(largest)) return nowhere
  if (isReal(a)) return { re: a.re.sin(), im: zero }
  return { re: a.re.sin().times(a.im.cosh()), im: a.re.cos().times(a.im.sinh()) }
}

/** The cosine. */
export const cosine = (a: Complex): Complex => sine(add({ re: pi.div(2), im: zero }, negate(a)))
