import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import {
  declaredNames,
  nameOf,
  nodeAt,
  nodesAt,
  parseSource,
  type SyntaxNode,
} from '../../base/syntax-tree.ts'
import type { Files } from '../../schema/task.ts'

/** What a module takes from others and gives to them. */
interface Links {
  isModule: boolean
  exported: Set<string>
  /** Modules whose exports it exports, too. */
  stars: string[]
  taken: { name: string; from: string }[]
  /** Its text, in which names of packages are read when it runs. */
  text: string
}

/**
 * Returns the modules among files, which are JavaScript, that Node would not link, with imports as Jest, Vitest and tsx compile them. What
 * a module imports in vain is undefined there, and so are types that are exported again; in Node no test of the file would run. Names of
 * a CommonJS package are read from what it exports.
 */
export function withLooseImports(
  files: Files,
  entries: readonly string[],
  endings: readonly string[],
): Record<string, string> {
  const links = new Map<string, Links>()
  const resolve = (from: string, specifier: string) => {
    const joined = posix.join(posix.dirname(from), specifier)
    const stems = [joined, joined.replace(/\.[cm]?jsx?$/, '')]
    return stems.flatMap((stem) => endings.map((ending) => stem + ending)).find((path) => path in files)
  }
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (links.has(path) || !/\.[cm]?[jt]s$/.test(path)) continue
    const found = linksOf(files[path] ?? '', (specifier) => resolve(path as string, specifier))
    links.set(path, found)
    waiting.push(...found.stars, ...found.taken.map(({ from }) => from))
  }
  const missing = missingNames(links)
  const textOf = ([path, { text }]: [string, Links]) => {
    const names = [...(missing.get(path) ?? [])]
    return names.length > 0 ? `${text}\n${stubs(names)}` : text
  }
  return Object.fromEntries([...links].map((one) => [one[0], textOf(one)]))
}

function missingNames(links: ReadonlyMap<string, Links>): Map<string, Set<string>> {
  const has = (path: string, name: string, seen: readonly string[] = []): boolean => {
    const link = links.get(path)
    if (name === '*' || !link?.isModule || link.exported.has(name)) return true
    return link.stars.some(
      (star) => star === '*' || (!seen.includes(star) && has(star, name, [...seen, path])),
    )
  }
  const missing = new Map<string, Set<string>>()
  for (const { taken } of links.values())
    for (const { name, from } of taken)
      if (!has(from, name)) missing.set(from, (missing.get(from) ?? new Set()).add(name))
  return missing
}

const stubs = (names: readonly string[]) =>
  names
    .map((name, i) =>
      name === 'default'
        ? 'export default undefined'
        : `const benchMissing${i} = undefined; export { benchMissing${i} as ${name} }`,
    )
    .join('\n')

function linksOf(text: string, resolve: (specifier: string) => string | undefined): Links {
  const links: Links = { isModule: false, exported: new Set(), stars: [], taken: [], text }
  const parsed = parseSource(text, 'a.js')
  if ('error' in parsed) return links
  links.isModule = parsed.isModule
  for (const statement of parsed.statements) add(statement, links, resolve)
  for (const [i, statement] of [...parsed.statements.entries()].reverse())
    links.text = withNamesAtRun(links.text, statement, i)
  return links
}

/** Replaces an import of names of a package by one of the whole, from which they are read. Lines keep their numbers. */
function withNamesAtRun(text: string, statement: SyntaxNode, index: number): string {
  const specifiers = nodesAt(statement, 'specifiers')
  const source = nodeAt(statement, 'source')
  const names = specifiers.filter(({ type }) => type === 'ImportSpecifier')
  if (statement.type !== 'ImportDeclaration' || names.length === 0) return text
  if (!/^(?!node:)[@\w]/.test(nameOf(source) ?? '') || isPlayed(nameOf(source) as string)) return text
  const { start, end } = statement as unknown as { start: number; end: number }
  const whole = `benchPackage${index}`
  const [usual] = specifiers.filter(({ type }) => type === 'ImportDefaultSpecifier')
  const read = names.map((one) => {
    const [imported, local] = [nameOf(nodeAt(one, 'imported')), nameOf(nodeAt(one, 'local'))]
    return `${local} = '${imported}' in ${whole} ? ${whole}['${imported}'] : ${whole}.default?.['${imported}']`
  })
  const from = JSON.stringify(nameOf(source))
  const lines = '\n'.repeat(text.slice(start, end).split('\n').length - 1)
  return `${text.slice(0, start)}import * as ${whole} from ${from};${usual ? `import ${nameOf(nodeAt(usual, 'local'))} from ${from};` : ''}const ${read.join(', ')};${lines}${text.slice(end)}`
}

/** Whether bench itself gives a package's names, or Node does. */
const isPlayed = (specifier: string) =>
  ['vitest', '@jest/globals'].includes(specifier) ||
  builtinModules.includes(specifier.split('/')[0] as string)

function add(statement: SyntaxNode, links: Links, resolve: (specifier: string) => string | undefined): void {
  const specifier = nameOf(nodeAt(statement, 'source'))
  const from = specifier !== undefined && /^\.\.?(?:\/|$)/.test(specifier) ? resolve(specifier) : undefined
  const take = (name: string | undefined) => {
    if (name !== undefined && from !== undefined) links.taken.push({ name, from })
  }
  if (statement.type === 'ImportDeclaration')
    for (const one of nodesAt(statement, 'specifiers')) {
      if (one.type === 'ImportDefaultSpecifier') take('default')
      if (one.type === 'ImportSpecifier') take(nameOf(nodeAt(one, 'imported')))
      if (one.type === 'ImportNamespaceSpecifier') take('*')
    }
  // What a package exports is not known: any name may be among it.
  if (statement.type === 'ExportAllDeclaration') links.stars.push(from ?? '*')
  if (statement.type === 'ExportDefaultDeclaration') links.exported.add('default')
  if (statement.type !== 'ExportNamedDeclaration') return
  for (const one of nodesAt(statement, 'specifiers')) {
    links.exported.add(nameOf(nodeAt(one, 'exported')) ?? '')
    if (one.type === 'ExportSpecifier' && from !== undefined) take(nameOf(nodeAt(one, 'local')))
  }
  for (const name of declaredNames(statement)) links.exported.add(name)
}
