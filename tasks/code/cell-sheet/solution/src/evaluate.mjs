const isError = (value) => typeof value === 'string' && value.startsWith('#')

const functions = {
  SUM: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  MIN: (numbers) => (numbers.length === 0 ? 0 : Math.min(...numbers)),
  MAX: (numbers) => (numbers.length === 0 ? 0 : Math.max(...numbers)),
  COUNT: (numbers) => numbers.length,
  AVG: (numbers) => (numbers.length === 0 ? '#DIV/0!' : functions.SUM(numbers) / numbers.length),
}

/** The number, or the error, that a formula's tree gives with these values of cells. */
export function evaluate(tree, valueOf) {
  if (tree.kind === 'number') return tree.value
  if (tree.kind === 'ref') return operand(valueOf(tree.ref))
  if (tree.kind === 'call') return call(tree, valueOf)
  if (tree.kind === 'negation') {
    const value = evaluate(tree.of, valueOf)
    return isError(value) ? value : 0 - value
  }
  const left = evaluate(tree.left, valueOf)
  if (isError(left)) return left
  const right = evaluate(tree.right, valueOf)
  if (isError(right)) return right
  if (tree.operator === '+') return left + right
  if (tree.operator === '-') return left - right
  if (tree.operator === '*') return left * right
  return right === 0 ? '#DIV/0!' : left / right
}

function operand(value) {
  if (value === '') return 0
  return typeof value === 'string' && !isError(value) ? '#VALUE!' : value
}

function call({ name, args }, valueOf) {
  const values = args.flatMap((arg) => {
    if (arg.kind === 'range') return arg.cells.map(valueOf)
    return arg.kind === 'ref' ? valueOf(arg.ref) : evaluate(arg, valueOf)
  })
  const error = values.find(isError)
  return error ?? functions[name](values.filter((value) => typeof value === 'number'))
}
