import { ExpressionError } from './error.mjs'

const comparisons = ['<', '<=', '>', '>=', '==', '!=']

/** A tree of the tokens. */
export function parse(tokens) {
  let index = 0
  const at = (...texts) => tokens[index].kind === 'symbol' && texts.includes(tokens[index].text)
  const take = () => tokens[index++]

  function expect(text) {
    if (!at(text)) fail()
    take()
  }
  function fail() {
    const { text, position } = tokens[index]
    throw new ExpressionError(text === '' ? 'unexpected end' : `unexpected ${text}`, position)
  }

  function comparison() {
    const left = leftToRight(['+', '-'], () => leftToRight(['*', '/', '%'], negation))
    if (!at(...comparisons)) return left
    const operator = take()
    const right = leftToRight(['+', '-'], () => leftToRight(['*', '/', '%'], negation))
    return { kind: 'binary', operator, left, right }
  }

  function leftToRight(operators, operand) {
    let tree = operand()
    while (at(...operators)) tree = { kind: 'binary', operator: take(), left: tree, right: operand() }
    return tree
  }

  function negation() {
    if (!at('-')) return power()
    take()
    return { kind: 'negation', of: negation() }
  }

  function power() {
    const base = primary()
    if (!at('^')) return base
    return { kind: 'binary', operator: take(), left: base, right: negation() }
  }

  function primary() {
    const { kind } = tokens[index]
    if (kind === 'number') return { kind, value: Number(take().text) }
    if (kind === 'name') {
      const name = take()
      return at('(') ? { kind: 'call', name, args: args() } : { kind: 'variable', name }
    }
    expect('(')
    const inner = comparison()
    expect(')')
    return inner
  }

  function args() {
    const list = []
    do {
      take()
      list.push(comparison())
    } while (at(','))
    expect(')')
    return list
  }

  const tree = comparison()
  if (tokens[index].kind !== 'end') fail()
  return tree
}
