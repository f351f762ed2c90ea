import { nameOf, nodeAt, nodesAt, type SyntaxNode } from '../../tools/skeletons/syntax-tree.ts'
import { childrenOf } from './walk.ts'

/** So many calls of another process take longer than a test may. */
const mostRounds = 5000

/**
 * Returns why a spec needs the solution in its own process: it starts the solution as a program, its timers race, or it calls the
 * solution thousands of times. Skipped tests do not count.
 */
export function needToShare(text: string, statements: readonly SyntaxNode[]): { sharing?: string } {
  if (/['"](?:node:)?child_process['"]/.test(text)) return { sharing: 'start programs' }
  const seen = { durations: new Set<unknown>(), rounds: 0, numbers: new Map<string, number>() }
  for (const statement of statements) look(statement, seen)
  if (seen.durations.size > 1) return { sharing: 'let timers race' }
  return seen.rounds >= mostRounds ? { sharing: 'call it thousands of times' } : {}
}

interface Seen {
  durations: Set<unknown>
  rounds: number
  /** The constants that are numbers. */
  numbers: Map<string, number>
}

function look(node: SyntaxNode, seen: Seen): void {
  if (isSkipped(node)) return
  if (node.type === 'VariableDeclarator') {
    const value = numberOf(nodeAt(node, 'init'), seen)
    if (value !== undefined) seen.numbers.set(nameOf(nodeAt(node, 'id')) ?? '', value)
  }
  if (
    node.type === 'CallExpression' &&
    /^set(?:Timeout|Interval)$/.test(nameOf(nodeAt(node, 'callee')) ?? '')
  ) {
    const duration = nodesAt(node, 'arguments')[1]
    const known = numberOf(duration, seen)
    // A duration that is computed may be any.
    if (known !== undefined) seen.durations.add(known)
    else if (duration) seen.durations.add('a').add('b')
  }
  if (node.type === 'ForStatement')
    seen.rounds = Math.max(seen.rounds, numberOf(nodeAt(nodeAt(node, 'test'), 'right'), seen) ?? 0)
  for (const child of childrenOf(node)) look(child, seen)
}

function isSkipped(node: SyntaxNode): boolean {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined
  return callee?.type === 'MemberExpression' && nameOf(nodeAt(callee, 'property')) === 'skip'
}

function numberOf(node: SyntaxNode | undefined, { numbers }: Seen): number | undefined {
  if (node?.type === 'NumericLiteral') return node.value as number
  return node?.type === 'Identifier' ? numbers.get(node.name as string) : undefined
}
