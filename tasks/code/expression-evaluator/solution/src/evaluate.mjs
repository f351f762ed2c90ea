import { ExpressionError } from './error.mjs'
import { parse } from './parse.mjs'
import { tokenize } from './tokenize.mjs'

const operators = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
}
const functions = new Map([
  ['min', { most: Number.POSITIVE_INFINITY, run: Math.min }],
  ['max', { most: Number.POSITIVE_INFINITY, run: Math.max }],
  ['abs', { most: 1, run: Math.abs }],
  ['sqrt', { most: 1, run: Math.sqrt }],
  ['round', { most: 1, run: Math.round }],
])

/** The value of an expression. */
export function evaluate(text, variables = {}) {
  return value(parse(tokenize(text)), variables)
}

function value(tree, variables) {
  if (tree.kind === 'number') return tree.value
  if (tree.kind === 'negation') return -value(tree.of, variables)
  if (tree.kind === 'binary') return binary(tree, variables)
  if (tree.kind === 'call') return call(tree, variables)
  const { text, position } = tree.name
  if (!Object.hasOwn(variables, text)) throw new ExpressionError(`unknown variable ${text}`, position)
  return variables[text]
}

function binary({ operator, left, right }, variables) {
  const a = value(left, variables)
  const b = value(right, variables)
  if ((operator.text === '/' || operator.text === '%') && b === 0) {
    throw new ExpressionError('division by zero', operator.position)
  }
  return operators[operator.text](a, b)
}

function call({ name, args }, variables) {
  const found = functions.get(name.text)
  if (!found) throw new ExpressionError(`unknown function ${name.text}`, name.position)
  if (args.length > found.most) throw new ExpressionError('too many arguments', name.position)
  const values = args.map((arg) => value(arg, variables))
  if (name.text === 'sqrt' && values[0] < 0) throw new ExpressionError('root of a negative number', name.position)
  return found.run(...values)
}
