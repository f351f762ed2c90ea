import { type Form, formOf, itemsOf, readForm } from './answer-forms.ts'
import { type Complex, divide, isDefined, isReal, modulus, Real, real } from './complex.ts'
import { addVariables, evaluate, numberOf, symbolName, Undecided } from './evaluate.ts'
import type { MathNode } from './read-latex.ts'
import { unitsDiffer } from './units.ts'

/** Whether two answers mean the same. Throws `Undecided` where that cannot be told. */
export function meanTheSame(expected: string, said: string): boolean {
  const wanted = readForm(expected, new Set())
  return equal(wanted, readForm(said, variablesOf(nodesOf(wanted))))
}

function nodesOf(form: Form): readonly MathNode[] {
  if (form.kind === 'value' || form.kind === 'inequality') return [form.node]
  if (form.kind === 'equation') return form.sides
  if (form.kind === 'name') return []
  return (form.kind === 'matrix' ? form.rows.flat() : form.items).flatMap(nodesOf)
}

function equal(wanted: Form, said: Form): boolean {
  if (wanted.kind === 'equation' && said.kind === 'equation') return sameEquation(wanted.sides, said.sides)
  if (wanted.kind === 'equation') return isDefinition(wanted.sides) && equal(valueIn(wanted.sides), said)
  if (said.kind === 'equation') return equal(wanted, valueIn(said.sides))
  const [several, others] = [itemsOf(wanted), itemsOf(said)]
  if (several.length !== 1 || others.length !== 1) return sameItems(several, others)
  const [one, other] = [several[0] as Form, others[0] as Form]
  if (one.kind === 'name' && other.kind === 'name') return wordsOf(one.name) === wordsOf(other.name)
  if (one.kind === 'value' && other.kind === 'value') return sameValue(one, other)
  if (one.kind === 'matrix' && other.kind === 'matrix')
    return (
      one.rows.length === other.rows.length && one.rows.every((row, i) => inOrder(row, other.rows[i] ?? []))
    )
  if (one.kind === 'ordered' && other.kind === 'ordered')
    return one.brackets === other.brackets && inOrder(one.items, other.items)
  if (one.kind === 'union' && other.kind === 'union') return sameItems(one.items, other.items)
  if (one.kind === 'equation' || other.kind === 'equation') return equal(one, other)
  if (one.kind === 'inequality' && other.kind === 'inequality')
    return one.strict === other.strict && (ratioOf(one.node, other.node)?.gt(0) ?? false)
  return false
}

const wordsOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const inOrder = (wanted: readonly Form[], said: readonly Form[]): boolean =>
  wanted.length === said.length && wanted.every((item, i) => equal(item, said[i] as Form))

function sameItems(wanted: readonly Form[], said: readonly Form[]): boolean {
  if (wanted.length !== said.length) return false
  const left = [...said]
  return wanted.every((item) => {
    const at = left.findIndex((other) => equal(item, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

const isName = (node: MathNode) => symbolName(node) !== undefined
const isCall = (node: MathNode) =>
  Array.isArray(node) &&
  node.length === 3 &&
  node[0] === 'InvisibleOperator' &&
  isName(node[1]) &&
  Array.isArray(node[2]) &&
  node[2][0] === 'Delimiter'

/** Whether an equation only names a value, as `x = 5` and `f(x) = 2x` do, and `y = 2x` does not. */
function isDefinition(sides: readonly MathNode[]): boolean {
  const [first, last] = [sides[0] as MathNode, sides.at(-1) as MathNode]
  return isCall(first) || ((isName(first) || isName(last)) && variablesOf([valueSide(sides)]).size === 0)
}

const valueSide = (sides: readonly MathNode[]): MathNode => {
  const [first, last] = [sides[0] as MathNode, sides.at(-1) as MathNode]
  return isName(last) && !isName(first) && !isCall(first) ? first : last
}

const valueIn = (sides: readonly MathNode[]): Form => formOf(valueSide(sides))

/** Equations mean the same if one is the other times a constant. */
function sameEquation(wanted: readonly MathNode[], said: readonly MathNode[]): boolean {
  const [one, other] = [wanted, said].map(
    (sides): MathNode => ['Subtract', sides[0] as MathNode, sides.at(-1) as MathNode],
  ) as [MathNode, MathNode]
  return ratioOf(one, other) !== undefined
}

/** Returns the real constant that one expression is of another; undefined if there is none. */
function ratioOf(one: MathNode, other: MathNode): Real | undefined {
  const values = valuesOf(one, other).map(([a, b]) => divide(a, b))
  const [first] = values as [Complex]
  if (!isDefined(first) || !isReal(first) || first.re.isZero()) return undefined
  return values.every((value) => isDefined(value) && areClose(value, first)) ? first.re : undefined
}

type Value = Form & { kind: 'value' }

function sameValue(wanted: Value, said: Value): boolean {
  if (wanted.base !== said.base || unitsDiffer(wanted.units, said.units)) return false
  return (
    readingsOf(said).some((node) => sameNumber(wanted.node, node)) ||
    readingsOf(wanted).some((node) => sameNumber(node, said.node))
  )
}

/** Returns the values that a number may stand for: `10\%` is 10 and 0.1, and `90^\circ` is 90 and half of pi. */
const readingsOf = ({ node, units, percent }: Value): readonly MathNode[] => [
  node,
  ...(percent ? [['Divide', node, 100] as const] : []),
  ...(units.some((unit) => /degree/.test(unit)) ? [['Degrees', node] as const] : []),
]

function sameNumber(wanted: MathNode, said: MathNode): boolean {
  const pairs = valuesOf(wanted, said)
  if (pairs.every(([a, b]) => areClose(a, b))) return true
  const [pair] = pairs as [[Complex, Complex]]
  const [digits, exact] = longDecimal(said) ? [said, wanted] : [wanted, said]
  const step = longDecimal(digits)
  if (step === undefined || decimalIn(exact) || pairs.length > 1) return false
  return modulus({ re: pair[0].re.minus(pair[1].re), im: pair[0].im.minus(pair[1].im) }).lte(step)
}

const decimalIn = (node: MathNode): boolean =>
  (numberOf(node)?.includes('.') ?? false) ||
  (Array.isArray(node) && (node as readonly MathNode[]).some(decimalIn))

/** A decimal fraction of 15 digits and more stands for a value with endless decimals: returns the size of its last digit. */
function longDecimal(node: MathNode): Real | undefined {
  if (Array.isArray(node) && node[0] === 'Negate') return longDecimal(node[1])
  const [, whole = '', decimals = ''] = /^(\d+)\.(\d+)$/.exec(numberOf(node) ?? '') ?? []
  const digits = `${whole}${decimals}`.replace(/^0+/, '').length
  return digits >= 15 ? new Real(10).pow(-decimals.length) : undefined
}

const tolerance = new Real('1e-70')
const noise = new Real('1e-90')

/** Whether values are equal in as many digits as are computed. */
function areClose(a: Complex, b: Complex): boolean {
  if (!isDefined(a) || !isDefined(b)) return a.re.eq(b.re) && a.im.eq(b.im)
  const distance = modulus({ re: a.re.minus(b.re), im: a.im.minus(b.im) })
  return distance.lte(noise) || distance.lte(tolerance.times(Real.max(modulus(a), modulus(b))))
}

function variablesOf(nodes: readonly MathNode[]): Set<string> {
  const names = new Set<string>()
  for (const node of nodes) addVariables(node, names)
  return names
}

const mostVariables = 12
const points = 6

/** Returns the values of two expressions: one pair, or one for each of six points if they have variables. */
function valuesOf(one: MathNode, other: MathNode): readonly (readonly [Complex, Complex])[] {
  const names = [...variablesOf([one, other])].sort()
  if (names.length > mostVariables) throw new Undecided(`has more than ${mostVariables} variables`)
  const pairs = Array.from({ length: names.length === 0 ? 1 : points }, (_, point) => {
    const values = new Map(names.map((name, i) => [name, coordinate(point, i)] as const))
    const at = { values, sign: 1 } as const
    return [evaluate(one, at), evaluate(other, at)] as const
  })
  const isNowhere = ({ re }: Complex) => re.isNaN()
  const known = pairs.filter(([a, b]) => !isNowhere(a) && !isNowhere(b))
  if (known.length * 2 <= pairs.length)
    throw new Undecided('has no value, or one that is too large to compute')
  return pairs.filter(([a, b]) => !isNowhere(a) || !isNowhere(b))
}

/** Irrational, of both signs, and other for each variable, so that only identities hold at all points. */
const coordinate = (point: number, variable: number): Complex =>
  real(
    new Real(2 + 11 * point + 5 * variable)
      .sqrt()
      .plus('0.1')
      .times((point + variable) % 2 === 0 ? 1 : -1)
      .div(1 + point),
  )
