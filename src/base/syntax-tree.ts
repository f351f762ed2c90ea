import type { ParserOptions } from '@babel/parser'
import { loadPackage } from './load-package.ts'

/** A node of the parser's tree, of which only the type is known. */
export interface SyntaxNode {
  readonly type: string
  readonly [property: string]: unknown
}

/**
 * Parses JavaScript or TypeScript, as its path says; returns the statements, or where the first error is. A program that runs where
 * no package is gives its own parser.
 */
export function parseSource(
  source: string,
  path: string,
  { parse } = loadPackage('@babel/parser') as Pick<typeof import('@babel/parser'), 'parse'>,
): { statements: readonly SyntaxNode[]; isModule: boolean } | { error: string } {
  try {
    const { program } = parse(source, optionsFor(path))
    return {
      statements: program.body as unknown as SyntaxNode[],
      isModule: program.sourceType === 'module',
    }
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number; column: number } }
    const place = loc ? `:${loc.line}:${loc.column + 1}` : ''
    return { error: `${path}${place}: ${message.replace(/ \(\d+:\d+\)$/, '')}` }
  }
}

function optionsFor(path: string): ParserOptions {
  const isTypeScript = /\.[cm]?tsx?$/.test(path)
  return {
    sourceType: /\.m[jt]s$/.test(path) ? 'module' : /\.c[jt]s$/.test(path) ? 'script' : 'unambiguous',
    allowReturnOutsideFunction: true,
    plugins: [
      ...(isTypeScript ? (['typescript', 'decorators'] as const) : (['decorators'] as const)),
      ...(/\.(?:[jt]sx|js)$/.test(path) ? (['jsx'] as const) : []),
    ],
  }
}

/** Returns a node that a property holds, if it holds one. */
export function nodeAt(node: SyntaxNode | undefined, property: string): SyntaxNode | undefined {
  const value = node?.[property]
  return typeof value === 'object' && value !== null && 'type' in value ? (value as SyntaxNode) : undefined
}

/** Returns the nodes that a property holds; holes of a pattern are left out. */
export function nodesAt(node: SyntaxNode | undefined, property: string): readonly SyntaxNode[] {
  const value = node?.[property]
  return Array.isArray(value) ? (value.filter((one) => one !== null) as SyntaxNode[]) : []
}

function boundNames(pattern: SyntaxNode | undefined): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name as string]
    case 'ObjectPattern':
      return nodesAt(pattern, 'properties').flatMap((one) =>
        boundNames(nodeAt(one, 'value') ?? nodeAt(one, 'argument')),
      )
    case 'ArrayPattern':
      return nodesAt(pattern, 'elements').flatMap(boundNames)
    case 'AssignmentPattern':
      return boundNames(nodeAt(pattern, 'left'))
    case 'RestElement':
      return boundNames(nodeAt(pattern, 'argument'))
    default:
      return []
  }
}

/** Returns the names that a statement declares, also one that exports them. */
export function declaredNames(statement: SyntaxNode): string[] {
  const declaration = nodeAt(statement, 'declaration') ?? statement
  const own = nameOf(nodeAt(declaration, 'id'))
  return [
    ...(own === undefined ? [] : [own]),
    ...nodesAt(declaration, 'declarations').flatMap((one) => boundNames(nodeAt(one, 'id'))),
  ]
}

/** Returns the name of an identifier, or the text of a string that stands for one. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name as string
  return node?.type === 'StringLiteral' ? (node.value as string) : undefined
}
