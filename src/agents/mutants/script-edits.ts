import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../../base/syntax-tree.ts'

/** One change at one place of a source text, by an operator. */
export interface Edit {
  operator: string
  start: number
  end: number
  text: string
}

type Node = SyntaxNode & { start: number; end: number }

const swaps: Readonly<Record<string, readonly [operator: string, other: string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '==': ['comparison', '!='],
  '!=': ['comparison', '=='],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '+'],
  '/': ['arithmetic', '*'],
  '//': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '**': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
  '*=': ['arithmetic', '+='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  and: ['logic', 'or'],
  or: ['logic', 'and'],
  true: ['logic', 'false'],
  false: ['logic', 'true'],
  True: ['logic', 'False'],
  False: ['logic', 'True'],
}

/** Returns the edit that puts another operator or truth value in the place of one. */
export function swapAt(text: string, start: number): Edit[] {
  const [operator, other] = Object.hasOwn(swaps, text) ? (swaps[text] ?? []) : []
  if (operator === undefined || other === undefined) return []
  return [{ operator, start, end: start + text.length, text: other }]
}

/** Returns the edits of a whole number. */
export function numberEdits(text: string, start: number): Edit[] {
  if (!/^\d{1,15}$/.test(text)) return []
  const value = Number(text)
  const edit = (operator: string, other: number): Edit => ({
    operator,
    start,
    end: start + text.length,
    text: `${other}`,
  })
  const near = [value + 1, ...(value > 0 ? [value - 1] : [])].map((other) => edit('off by one', other))
  return value > 1 ? [...near, edit('constant', 0), edit('constant', value * 2)] : near
}

const swapBetween = (node: Node, source: string): Edit[] => {
  const [operator, from] = [node.operator as string, (node.left as Node).end]
  const start = from + (/^[\s)]*/.exec(source.slice(from))?.[0].length ?? 0)
  return source.startsWith(operator, start) ? swapAt(operator, start) : []
}

const dropped = ({ start, end }: Node): Edit[] => [{ operator: 'dropped statement', start, end, text: ';' }]

const editsOf: Readonly<Record<string, (node: Node, source: string) => Edit[]>> = {
  BinaryExpression: swapBetween,
  LogicalExpression: swapBetween,
  AssignmentExpression: swapBetween,
  BooleanLiteral: ({ start, value }) => swapAt(String(value), start),
  NumericLiteral: ({ start, end }, source) => numberEdits(source.slice(start, end), start),
  UnaryExpression: ({ start, operator }) =>
    operator === '!' ? [{ operator: 'negation', start, end: start + 1, text: '' }] : [],
  IfStatement: (node, source) => {
    const { start, end } = node.test as Node
    return [{ operator: 'negation', start, end, text: `!(${source.slice(start, end)})` }]
  },
  ReturnStatement: (node) => {
    const value = node.argument as Node | null
    if (!value || value.type === 'NullLiteral' || nameOf(value) === 'undefined') return []
    return [{ operator: 'return value', start: value.start, end: value.end, text: 'null' }]
  },
  ExpressionStatement: dropped,
  BreakStatement: dropped,
  ContinueStatement: dropped,
  CallExpression: (node, source) => {
    const [first, second] = nodesAt(node, 'arguments') as readonly Node[]
    const callee = node.callee as Node
    if (!first || first.type === 'SpreadElement' || second?.type === 'SpreadElement') return []
    if (!second) {
      const { start, end } = callee
      return callee.type === 'Identifier' ? [{ operator: 'dropped call', start, end, text: '' }] : []
    }
    const [one, other] = [source.slice(first.start, first.end), source.slice(second.start, second.end)]
    const text = `${other}${source.slice(first.end, second.start)}${one}`
    return one === other ? [] : [{ operator: 'swapped arguments', start: first.start, end: second.end, text }]
  },
}

/** Returns the edits of JavaScript or TypeScript, in the order of the source; none if it cannot be parsed. */
export function scriptEdits(source: string, path: string): Edit[] {
  const parsed = parseSource(source, path)
  const edits: Edit[] = []
  const visit = (node: Node) => {
    edits.push(...(editsOf[node.type]?.(node, source) ?? []))
    // Types change no behaviour, but an expression may stand inside a node of TypeScript. Templates are texts.
    const inside = /^T(?:S|emplate)/.test(node.type) ? ['expression'] : Object.keys(node)
    for (const property of inside)
      for (const child of [nodeAt(node, property) ?? [], nodesAt(node, property)].flat()) visit(child as Node)
  }
  if ('statements' in parsed) for (const statement of parsed.statements) visit(statement as Node)
  return edits
}
