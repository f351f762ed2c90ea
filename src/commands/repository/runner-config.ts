import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../../base/syntax-tree.ts'
import type { Files } from '../../schema/task.ts'

const names = [
  ...['include', 'exclude', 'dir', 'setupFiles', 'environment'],
  ...['testMatch', 'testRegex', 'roots', 'rootDir', 'testPathIgnorePatterns'],
  ...['setupFilesAfterEnv', 'testEnvironment'],
] as const

/** What a configuration of Vitest or Jest states as texts. */
type ConfigSettings = Partial<Record<(typeof names)[number], string[]>>

/**
 * Reads what a configuration states as texts. It is not run: it may import packages that a task cannot hold. Without a path, the key
 * `jest` of `package.json` is read.
 */
export function readConfig(path: string | undefined, files: Files): ConfigSettings {
  const text = path === undefined ? undefined : files[path]
  if (path === undefined || text === undefined || path.endsWith('.json'))
    return fromData(parsed(text ?? files['package.json']), text === undefined)
  const source = parseSource(text, path)
  if ('error' in source) return {}
  const settings: ConfigSettings = {}
  for (const statement of source.statements) collect(statement, settings)
  return settings
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

function fromData(data: unknown, isPackage: boolean): ConfigSettings {
  const config = (isPackage ? (data as { jest?: object }).jest : data) as Record<string, unknown> | undefined
  const texts = (value: unknown) => [value].flat().filter((one) => typeof one === 'string')
  return Object.fromEntries(
    names.flatMap((name) => (texts(config?.[name]).length > 0 ? [[name, texts(config?.[name])]] : [])),
  )
}

/** Parts of a configuration with settings of the same names, which are about other files than tests. */
const others = new Set(['coverage', 'typecheck', 'benchmark', 'optimizeDeps', 'deps', 'server', 'build'])

function collect(node: SyntaxNode, settings: ConfigSettings): void {
  if (node.type === 'ObjectProperty') {
    const name = nameOf(nodeAt(node, 'key'))
    if (name !== undefined && others.has(name)) return
    const known = names.find((one) => one === name)
    const texts = textsOf(nodeAt(node, 'value'))
    if (known && texts.length > 0) settings[known] ??= texts
  }
  for (const value of Object.values(node))
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === 'object' && one !== null && 'type' in one) collect(one as SyntaxNode, settings)
}

function textsOf(node: SyntaxNode | undefined): string[] {
  if (node?.type === 'StringLiteral') return [node.value as string]
  if (node?.type === 'RegExpLiteral') return [node.pattern as string]
  if (node?.type === 'ArrayExpression') return nodesAt(node, 'elements').flatMap(textsOf)
  return []
}
