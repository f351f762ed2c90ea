import { readCommonJs } from './commonjs-exports.ts'
import { type Declarations, declaredBy, describeValue } from './describe-value.ts'
import { type Exported, type FileExports, valueNamed } from './exports.ts'
import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from './syntax-tree.ts'

/** Finds the file that a specifier names, seen from a file; undefined if it is none of the workspace. */
export type FindModule = (specifier: string, from: string) => { path: string; source: string } | undefined

/** Reads the exports of a JavaScript or TypeScript file: ES module or CommonJS. `export *` is followed into files of the workspace. */
export function javascriptExports(source: string, path: string, find: FindModule): FileExports {
  const parsed = parseSource(source, path)
  if ('error' in parsed) return parsed
  const known = declarations(parsed.statements)
  if (!parsed.isModule) {
    const common = readCommonJs(parsed.statements, known)
    return { exported: unique(common), module: 'commonjs' }
  }
  return { exported: unique(moduleExports(parsed.statements, path, find, new Set([path]))), module: 'esm' }
}

/** The first of several exports of one name counts: a file's own comes before one that `export *` brings. */
const unique = (exported: readonly Exported[]): Exported[] =>
  [...new Map([...exported].reverse().map((one) => [one.name, one])).values()].reverse()

function declarations(statements: readonly SyntaxNode[]): Declarations {
  const own = statements.map((one) => nodeAt(one, 'declaration') ?? one)
  return new Map(
    own.flatMap(declaredBy).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
}

function moduleExports(
  statements: readonly SyntaxNode[],
  path: string,
  find: FindModule,
  seen: Set<string>,
): Exported[] {
  const known = declarations(statements)
  const own = statements.flatMap((one) => (isOfTypes(one) ? [] : exportedBy(one, known)))
  const others = statements
    .filter((one) => one.type === 'ExportAllDeclaration' && !isOfTypes(one))
    .flatMap((one) => exportsOfAll(one, path, find, seen))
  return [...own, ...others]
}

/** Whether a statement exists for the compiler alone. */
function isOfTypes(statement: SyntaxNode): boolean {
  const declaration = nodeAt(statement, 'declaration')
  return (
    statement.exportKind === 'type' ||
    declaration?.declare === true ||
    /^(?:TSInterface|TSTypeAlias|TSDeclare)/.test(declaration?.type ?? '')
  )
}

function exportedBy(statement: SyntaxNode, known: Declarations): Exported[] {
  const declaration = nodeAt(statement, 'declaration')
  if (statement.type === 'ExportDefaultDeclaration') return [describeValue('default', declaration, known)]
  if (statement.type !== 'ExportNamedDeclaration') return []
  if (declaration) return declaredBy(declaration).map(([name, value]) => describeValue(name, value, known))
  const isElsewhere = nodeAt(statement, 'source') !== undefined
  return nodesAt(statement, 'specifiers').flatMap((one) => {
    const name = nameOf(nodeAt(one, 'exported'))
    if (name === undefined || one.exportKind === 'type') return []
    return [isElsewhere ? valueNamed(name) : describeValue(name, nodeAt(one, 'local'), known)]
  })
}

/** Returns the exports that `export * from` passes on, all but the default. */
function exportsOfAll(statement: SyntaxNode, path: string, find: FindModule, seen: Set<string>): Exported[] {
  const found = find(nameOf(nodeAt(statement, 'source')) ?? '', path)
  if (!found || seen.has(found.path)) return []
  seen.add(found.path)
  const parsed = parseSource(found.source, found.path)
  if ('error' in parsed || !parsed.isModule) return []
  return moduleExports(parsed.statements, found.path, find, seen).filter(({ name }) => name !== 'default')
}
