import {
  add,
  type Complex,
  cosine,
  divide,
  exponential,
  imaginary,
  isReal,
  logarithm,
  modulus,
  multiply,
  negate,
  nowhere,
  pi,
  power,
  Real,
  real,
  sine,
  squareRoot,
} from './complex.ts'
import type { MathNode } from './read-latex.ts'

/** Why a text is not compared as mathematics, in words that follow "it". */
export class Undecided extends Error {}

/** Values of variables, and the sign that `\pm` stands for. */
interface Point {
  values: ReadonlyMap<string, Complex>
  sign: 1 | -1
}

/** Returns the value of an expression at a point. Throws `Undecided` for what is no number or has no bound. */
export function evaluate(node: MathNode, at: Point): Complex {
  const literal = numberOf(node)
  if (literal !== undefined) return real(literal)
  if (typeof node === 'string') return constants.get(node) ?? at.values.get(node) ?? unknown(node)
  if (!Array.isArray(node)) return unknown(JSON.stringify(node))
  const [head, ...parts] = node
  if (head === 'InvisibleOperator') return evaluateProduct(parts, at)
  if (head === 'Signed') return evaluate(parts[1] as MathNode, { ...at, sign: parts[0] === 1 ? 1 : -1 })
  if (head === 'At' || head === 'Subscript') return at.values.get(symbolName(node) ?? '') ?? unknown(head)
  if (head === 'Delimiter' && Array.isArray(parts[0]) && parts[0][0] === 'Sequence') return unknown('a list')
  // `\sin^{-1}` is the arcsine.
  const inverse = head === 'Apply' && Array.isArray(parts[0]) && parts[0][0] === 'InverseFunction'
  const name = inverse ? `Arc${String((parts[0] as readonly MathNode[])[1]).toLowerCase()}` : String(head)
  const compute = operations.get(name) ?? unknown(name)
  const counted = inverse ? parts.slice(1) : head === 'Delimiter' ? parts.slice(0, 1) : parts
  return compute(
    counted.map((part) => evaluate(part, at)),
    at.sign,
  )
}

const unknown = (what: string): never => {
  throw new Undecided(`has ${what.slice(0, 40)}, which is not evaluated`)
}

/** Returns the digits of a number that stands in a text. */
export function numberOf(node: MathNode | undefined): string | undefined {
  if (typeof node === 'number') return String(node)
  return typeof node === 'object' && 'num' in node ? node.num : undefined
}

/** Returns the name of a variable, with its index. Undefined for what is none. */
export function symbolName(node: MathNode): string | undefined {
  if (typeof node === 'string') return !constants.has(node) && variable.test(node) ? node : undefined
  if (!Array.isArray(node) || (node[0] !== 'At' && node[0] !== 'Subscript')) return undefined
  const [, base, index] = node
  const isName = typeof base === 'string' && symbolName(base) !== undefined
  return isName ? `${base}_${JSON.stringify(index)}` : undefined
}

const variable =
  /^(?:[A-Za-z](?:_(?:upright|bold))?|alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Sigma|Phi|Psi|Omega)$/

/** Adds the names of the variables of an expression. */
export function addVariables(node: MathNode, names: Set<string>): void {
  const name = symbolName(node)
  if (name !== undefined) names.add(name)
  else if (Array.isArray(node)) for (const part of node.slice(1)) addVariables(part, names)
}

/** A product. A whole number before a proper fraction of whole numbers is a mixed number. */
function evaluateProduct(parts: readonly MathNode[], at: Point): Complex {
  const [first, second, ...others] = parts
  const isMixed = /^\d+$/.test(numberOf(first) ?? '') && isProperFraction(second)
  const factors = parts.map((part) => evaluate(part, at))
  const [whole, fraction] = factors as [Complex, Complex]
  const product = isMixed ? [add(whole, fraction), ...factors.slice(-others.length || 2)] : factors
  return (isMixed && others.length === 0 ? product.slice(0, 1) : product).reduce(multiply)
}

function isProperFraction(node: MathNode | undefined): boolean {
  if (!Array.isArray(node) || node.length !== 3 || (node[0] !== 'Divide' && node[0] !== 'Rational'))
    return false
  const [above, below] = [numberOf(node[1]), numberOf(node[2])]
  return (
    /^\d+$/.test(above ?? '') && /^\d+$/.test(below ?? '') && new Real(above as string).lt(below as string)
  )
}

type Operation = (parts: readonly Complex[], sign: 1 | -1) => Complex
type Unary = (part: Complex) => Complex

const one = real(1)
const reciprocal: Unary = (a) => divide(one, a)
const tangent: Unary = (a) => divide(sine(a), cosine(a))
const hyperbolic =
  (sign: 1 | -1): Unary =>
  (a) =>
    divide(add(exponential(a), multiply(real(sign), exponential(negate(a)))), real(2))
/** A function of real numbers. */
const ofReal =
  (compute: (value: Real) => Real): Unary =>
  (a) =>
    isReal(a) ? { re: compute(a.re), im: new Real(0) } : nowhere

const arcsine = ofReal((x) => x.asin())
const arccosine = ofReal((x) => x.acos())
const arctangent = ofReal((x) => x.atan())
const sinh = hyperbolic(-1)
const cosh = hyperbolic(1)

const unary: Readonly<Record<string, Unary>> = {
  Delimiter: (a) => a,
  Negate: negate,
  Sqrt: squareRoot,
  Square: (a) => multiply(a, a),
  Exp: exponential,
  Ln: logarithm,
  Lb: (a) => divide(logarithm(a), logarithm(real(2))),
  Abs: (a) => ({ re: modulus(a), im: new Real(0) }),
  Norm: (a) => ({ re: modulus(a), im: new Real(0) }),
  Sin: sine,
  Cos: cosine,
  Tan: tangent,
  Cot: (a) => divide(cosine(a), sine(a)),
  Sec: (a) => reciprocal(cosine(a)),
  Csc: (a) => reciprocal(sine(a)),
  Arcsin: arcsine,
  Arccos: arccosine,
  Arctan: arctangent,
  Sinh: sinh,
  Cosh: cosh,
  Tanh: (a) => divide(sinh(a), cosh(a)),
  Floor: ofReal((x) => x.floor()),
  Ceil: ofReal((x) => x.ceil()),
  Degrees: (a) => multiply(a, { re: pi.div(180), im: new Real(0) }),
  Factorial: ofReal((x) => (x.isInteger() && x.gte(0) && x.lte(200) ? factorial(x) : nowhere.re)),
}

const binary: Readonly<Record<string, (a: Complex, b: Complex) => Complex>> = {
  Subtract: (a, b) => add(a, negate(b)),
  Divide: divide,
  Rational: divide,
  Power: power,
  Root: (a, b) => power(a, reciprocal(b)),
  Binomial: (a, b) =>
    isReal(a) &&
    isReal(b) &&
    a.re.isInteger() &&
    a.re.lte(200) &&
    b.re.isInteger() &&
    b.re.gte(0) &&
    b.re.lte(a.re)
      ? { re: factorial(a.re).div(factorial(b.re).times(factorial(a.re.minus(b.re)))), im: new Real(0) }
      : nowhere,
}

const factorial = (n: Real): Real =>
  Array.from({ length: n.toNumber() }, (_, i) => new Real(i + 1)).reduce((a, b) => a.times(b), new Real(1))

const operations = new Map<string, Operation>([
  ...Object.entries(unary).map(([name, of]) => [name, exactly(1, ([a]) => of(a as Complex))] as const),
  ...Object.entries(binary).map(
    ([name, of]) => [name, exactly(2, ([a, b]) => of(a as Complex, b as Complex))] as const,
  ),
  ['Add', (parts) => parts.reduce(add, real(0))],
  ['Multiply', (parts) => parts.reduce(multiply, one)],
  ['Log', ([a = nowhere, base = real(10)]) => divide(logarithm(a), logarithm(base))],
  ['PlusMinus', signed(1)],
  ['MinusPlus', signed(-1)],
])

function exactly(count: number, compute: (parts: readonly Complex[]) => Complex): Operation {
  return (parts) => (parts.length === count ? compute(parts) : unknown('a function without its arguments'))
}

function signed(own: 1 | -1): Operation {
  return (parts, sign) => {
    const [a, b] = parts.length === 1 ? [real(0), parts[0]] : parts
    return add(a as Complex, multiply(real(own * sign), b as Complex))
  }
}

const constants = new Map<string, Complex>([
  ['Pi', { re: pi, im: new Real(0) }],
  ['e', { re: Real.exp(1), im: new Real(0) }],
  ['ExponentialE', { re: Real.exp(1), im: new Real(0) }],
  ['i', imaginary],
  ['ImaginaryUnit', imaginary],
  ['PositiveInfinity', real(Number.POSITIVE_INFINITY)],
  ['NegativeInfinity', real(Number.NEGATIVE_INFINITY)],
])
