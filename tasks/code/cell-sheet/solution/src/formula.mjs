import { expandRange, parseRef } from './refs.mjs'

const functions = ['SUM', 'MIN', 'MAX', 'AVG', 'COUNT']
const token = /\s*(\d+(?:\.\d+)?(?![\w.])|[A-Z]+\d*(?!\w)|[-+*/(),:])\s*/iy

/** Tree and references of a formula; null if it is none. */
export function parseFormula(text) {
  try {
    const tokens = tokenize(text)
    const refs = new Set()
    const tree = parse(tokens, refs)
    return { tree, refs: [...refs] }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function tokenize(text) {
  const tokens = []
  token.lastIndex = 0
  for (let end = 0; end < text.length; end = token.lastIndex) {
    const match = token.exec(text)
    if (!match) throw new SyntaxError('unexpected character')
    tokens.push(match[1].toUpperCase())
  }
  return tokens
}

function parse(tokens, refs) {
  let index = 0
  const at = (...texts) => texts.includes(tokens[index])

  function expect(text) {
    if (!at(text)) throw new SyntaxError(`expected ${text}`)
    index += 1
  }

  const sum = () => leftToRight(['+', '-'], () => leftToRight(['*', '/'], negation))

  function leftToRight(operators, operand) {
    let tree = operand()
    while (at(...operators)) tree = { kind: 'binary', operator: tokens[index++], left: tree, right: operand() }
    return tree
  }

  function negation() {
    if (!at('-')) return primary()
    index += 1
    return { kind: 'negation', of: negation() }
  }

  function primary() {
    if (at('(')) {
      index += 1
      const inner = sum()
      expect(')')
      return inner
    }
    const text = tokens[index++] ?? ''
    if (/^\d/.test(text)) return { kind: 'number', value: Number(text) }
    if (functions.includes(text)) return { kind: 'call', name: text, args: args() }
    return { kind: 'ref', ref: reference(text) }
  }

  function reference(text) {
    if (!parseRef(text)) throw new SyntaxError('expected a reference')
    refs.add(text)
    return text
  }

  function args() {
    expect('(')
    const list = [argument()]
    while (at(',')) {
      index += 1
      list.push(argument())
    }
    expect(')')
    return list
  }

  function argument() {
    if (tokens[index + 1] !== ':') return sum()
    const cells = expandRange(reference(tokens[index]), reference(tokens[index + 2] ?? ''))
    index += 3
    for (const ref of cells) refs.add(ref)
    return { kind: 'range', cells }
  }

  const tree = sum()
  if (index < tokens.length) throw new SyntaxError('unexpected rest')
  return tree
}
