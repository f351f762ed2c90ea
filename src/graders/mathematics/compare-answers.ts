import { seededRandom } from '../../base/random.ts'
import { isUnit, unitsDiffer } from '../../replies/answers/units.ts'
import { type Form, formOf, isCall, itemsOf, readForm } from './answer-forms.ts'
import { add, type Complex, divide, isDefined, isReal, modulus, negate, Real, real } from './complex.ts'
import { addVariables, evaluate, numberOf, symbolName, Undecided } from './evaluate.ts'
import type { MathNode } from './read-latex.ts'

/** Returns whether two answers have the same meaning. Throws `Undecided` if neither can be shown. */
export function meanTheSame(expected: string, said: string): boolean {
  const wanted = readForm(expected, new Set(), () => true)
  return equal(wanted, readForm(said, variablesOf(nodesOf(wanted)), isUnitOf(expected)))
}

/** A reply may name any unit that is known, and what the expected answer names; other words may change a value. */
const isUnitOf = (expected: string) => (words: string) =>
  isUnit(words) || (words.trim() !== '' && expected.toLowerCase().includes(words.trim().toLowerCase()))

function nodesOf(form: Form): readonly MathNode[] {
  if (form.kind === 'value' || form.kind === 'inequality') return [form.node]
  if (form.kind === 'equation') return form.sides
  if (form.kind === 'name') return []
  return (form.kind === 'matrix' ? form.rows.flat() : form.items).flatMap(nodesOf)
}

function equal(wanted: Form, said: Form): boolean {
  if (wanted.kind === 'equation' && said.kind === 'equation') return sameEquation(wanted.sides, said.sides)
  if (wanted.kind === 'equation') return isDefinition(wanted.sides) && equal(valueIn(wanted.sides), said)
  if (said.kind === 'equation') return !isStandardForm(said.sides) && equal(wanted, valueIn(said.sides))
  const [several, others] = [itemsOf(wanted), itemsOf(said)]
  if (several.length !== 1 || others.length !== 1) return sameItems(several, others)
  const [one, other] = [several[0] as Form, others[0] as Form]
  if (one.kind === 'name' && other.kind === 'name') return wordsOf(one.name) === wordsOf(other.name)
  if (one.kind === 'value' && other.kind === 'value') return sameValue(one, other)
  if (one.kind === 'matrix' && other.kind === 'ordered' && other.brackets === '()')
    return one.rows.every(({ length }) => length === 1) && inOrder(one.rows.flat(), other.items)
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

/** Whether an equation only names a value, as `x = 5` and `f(x) = 2x` do, and `y = 2x` does not. */
function isDefinition(sides: readonly MathNode[]): boolean {
  const [first, last] = [sides[0] as MathNode, sides.at(-1) as MathNode]
  return isCall(first) || ((isName(first) || isName(last)) && variablesOf([valueSide(sides)]).size === 0)
}

const valueSide = (sides: readonly MathNode[]): MathNode => {
  const [first, last] = [sides[0] as MathNode, sides.at(-1) as MathNode]
  return isName(last) && !isName(first) && !isCall(first) ? first : last
}

/** Whether an equation is one such as `2x - y + 3 = 0`, which gives no value. */
const isStandardForm = (sides: readonly MathNode[]): boolean =>
  numberOf(sides.at(-1)) === '0' &&
  Array.isArray(sides[0]) &&
  sides[0][0] === 'Add' &&
  variablesOf(sides).size > 0

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
  let ratio: Complex | undefined
  const isConstant = holdsEverywhere(one, other, (a, b) => {
    const here = divide(a, b)
    ratio ??= here
    return isDefined(here) && areClose(here, ratio)
  })
  return isConstant && ratio && isReal(ratio) && !ratio.re.isZero() ? ratio.re : undefined
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
  const [digits, exact] = longDecimal(said) ? [said, wanted] : [wanted, said]
  const step = decimalIn(exact) ? undefined : longDecimal(digits)
  return holdsEverywhere(wanted, said, (a, b) => areClose(a, b) || (step?.gte(distanceOf(a, b)) ?? false))
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

const distanceOf = (a: Complex, b: Complex): Real => modulus(add(a, negate(b)))

/** Whether values are equal in as many digits as are computed. */
function areClose(a: Complex, b: Complex): boolean {
  if (!isDefined(a) || !isDefined(b)) return a.re.eq(b.re) && a.im.eq(b.im)
  const distance = distanceOf(a, b)
  return distance.lte(noise) || distance.lte(tolerance.times(Real.max(modulus(a), modulus(b))))
}

function variablesOf(nodes: readonly MathNode[]): Set<string> {
  const names = new Set<string>()
  for (const node of nodes) addVariables(node, names)
  return names
}

const mostVariables = 8
const points = 12

/**
 * Whether a relation of two expressions holds: for their values, or at each of twelve points if they have variables. A point where
 * neither has a value does not count.
 */
function holdsEverywhere(
  one: MathNode,
  other: MathNode,
  relation: (a: Complex, b: Complex) => boolean,
): boolean {
  const names = [...variablesOf([one, other])].sort()
  if (names.length > mostVariables) throw new Undecided(`has more than ${mostVariables} variables`)
  const count = names.length === 0 ? 1 : points
  let [known, onlyOne] = [0, 0]
  for (let point = 0; point < count; point++) {
    const values = new Map(names.map((name, i) => [name, coordinate(point, i)] as const))
    const [a, b] = [one, other].map((node) => evaluate(node, { values, sign: 1 })) as [Complex, Complex]
    const missing = [a, b].filter(({ re }) => re.isNaN()).length
    if (missing === 0 && !relation(a, b)) return false
    if (missing === 0) known++
    if (missing === 1) onlyOne++
  }
  if (known * 2 <= count) throw new Undecided('has no value, or one that is too large to compute')
  return onlyOne === 0
}

/** Irrational, and other for each variable, so that only identities hold at all points. Signs are drawn, so that no product keeps its. */
function coordinate(point: number, variable: number): Complex {
  const size = new Real(2 + 11 * point + 5 * variable)
    .sqrt()
    .plus('0.1')
    .div(1 + point)
  const isNegative = seededRandom(`sign/${point}/${variable}`)() < 0.5
  return real(isNegative ? size.neg() : size)
}
