import type { SyntaxNode } from '../../text/syntax-tree.ts'

/** Returns the nodes in a node, in the order of the source. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([property, value]) => {
    if (property === 'loc' || property.endsWith('Comments')) return []
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
  })
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
