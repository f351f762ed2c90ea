import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../../tools/skeletons/syntax-tree.ts'
import { applyEdits, type Edit } from './edits.ts'
import { childrenOf } from './walk.ts'

/** Returns a file with its relative imports changed by `move`. One that cannot be parsed stays as it is. */
export function moveImports(text: string, path: string, move: (specifier: string) => string): string {
  const parsed = parseSource(text, path)
  if ('error' in parsed) return text
  const edits: Edit[] = []
  const visit = (node: SyntaxNode) => {
    const source = sourceOf(node)
    const specifier = source?.type === 'StringLiteral' ? (source.value as string) : ''
    if (source && /^\.\.?\//.test(specifier)) {
      const moved = move(specifier)
      if (moved !== specifier)
        edits.push({ start: (source.start as number) + 1, end: (source.end as number) - 1, text: moved })
    }
    childrenOf(node).forEach(visit)
  }
  parsed.statements.forEach(visit)
  return applyEdits(text, edits)
}

/** Returns the specifier of an import, an export or a `require`. */
function sourceOf(node: SyntaxNode): SyntaxNode | undefined {
  if (/^(?:Import|Export).*Declaration$/.test(node.type)) return nodeAt(node, 'source')
  if (node.type === 'ImportExpression') return nodeAt(node, 'source')
  const callee = nodeAt(node, 'callee')
  const loads = node.type === 'CallExpression' && (callee?.type === 'Import' || nameOf(callee) === 'require')
  return loads ? nodesAt(node, 'arguments')[0] : undefined
}
