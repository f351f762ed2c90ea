import { nameOf, nodeAt, nodesAt, type SyntaxNode } from '../../../base/syntax-tree.ts'

/** Returns the names that code binds anywhere: variables, parameters, functions, classes, caught errors. */
export function boundNames(statements: readonly SyntaxNode[]): Set<string> {
  const names = new Set<string>()
  const nodes = [...statements]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    for (const pattern of [...nodesAt(node, 'params'), ...patternsOf(node)]) bind(names, pattern)
    for (const value of Object.values(node))
      if (Array.isArray(value)) for (const one of value) pushNode(nodes, one)
      else pushNode(nodes, value)
  }
  return names
}

function pushNode(nodes: SyntaxNode[], value: unknown): void {
  if (typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string')
    nodes.push(value as SyntaxNode)
}

function patternsOf(node: SyntaxNode): (SyntaxNode | undefined)[] {
  if (/^(?:Function|Class)|^VariableDeclarator$/.test(node.type)) return [nodeAt(node, 'id')]
  if (node.type === 'ImportSpecifier' || node.type === 'ImportDefaultSpecifier')
    return [nodeAt(node, 'local')]
  return node.type === 'CatchClause' ? [nodeAt(node, 'param')] : []
}

function bind(names: Set<string>, pattern: SyntaxNode | undefined): void {
  const patterns = [pattern]
  for (let one = patterns.pop(); one; one = patterns.pop()) {
    const name = nameOf(one)
    if (name !== undefined) names.add(name)
    for (const property of nodesAt(one, 'properties'))
      patterns.push(nodeAt(property, 'value') ?? nodeAt(property, 'argument'))
    patterns.push(...nodesAt(one, 'elements'), nodeAt(one, 'left') ?? nodeAt(one, 'argument'))
  }
}
