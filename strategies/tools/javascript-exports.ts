import * as babel from '@babel/parser'
import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../../src/base/syntax-tree.ts'
import {
  type Declarations,
  declaredBy,
  describeValue,
  type Exported,
  type FileExports,
  valueNamed,
} from './exports.ts'

/** Finds the file that a specifier names, seen from a file; undefined if it is none of the workspace. */
type FindModule = (specifier: string, from: string) => { path: string; source: string } | undefined

/** Reads the exports of a JavaScript or TypeScript file: ES module or CommonJS. `export *` is followed into files of the workspace. */
export function javascriptExports(source: string, path: string, find: FindModule): FileExports {
  const parsed = parseSource(source, path, babel)
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
  const parsed = parseSource(found.source, found.path, babel)
  if ('error' in parsed || !parsed.isModule) return []
  return moduleExports(parsed.statements, found.path, find, seen).filter(({ name }) => name !== 'default')
}

/**
 * Returns what a CommonJS file puts into its exports at its top level. A function or class that is all of `module.exports` is
 * called `default`: the module itself.
 */
function readCommonJs(statements: readonly SyntaxNode[], known: Declarations): Exported[] {
  let found: Exported[] = []
  // Once `module.exports` is another object, `exports` leads nowhere.
  let isShared = true
  for (const statement of statements) {
    const expression = nodeAt(statement, 'expression')
    if (statement.type === 'TSExportAssignment') return wholeExports(expression, known)
    if (statement.type !== 'ExpressionStatement') continue
    if (expression?.type === 'CallExpression') found.push(...definedProperty(expression, isShared))
    if (expression?.type !== 'AssignmentExpression') continue
    const { targets, value } = assignmentOf(expression)
    if (targets.some(isModuleExports)) {
      found = wholeExports(value, known)
      isShared = targets.some((target) => nameOf(target) === 'exports')
    }
    for (const target of targets) {
      const name = propertyOfExports(target, isShared)
      if (name !== undefined) found.push(describeValue(name, value, known))
    }
  }
  return found
}

function assignmentOf(expression: SyntaxNode): { targets: SyntaxNode[]; value: SyntaxNode | undefined } {
  const targets: SyntaxNode[] = []
  let value: SyntaxNode | undefined = expression
  while (value?.type === 'AssignmentExpression') {
    const target = nodeAt(value, 'left')
    if (target) targets.push(target)
    value = nodeAt(value, 'right')
  }
  return { targets, value }
}

function wholeExports(value: SyntaxNode | undefined, known: Declarations): Exported[] {
  const named = value?.type === 'Identifier' ? known.get(value.name as string) : undefined
  const whole = named?.type === 'ObjectExpression' ? named : value
  if (whole?.type !== 'ObjectExpression')
    return whole === undefined ? [] : [describeValue('default', whole, known)]
  return nodesAt(whole, 'properties').flatMap((property) => {
    const name = property.computed === true ? undefined : nameOf(nodeAt(property, 'key'))
    if (name === undefined) return []
    const isMethod = property.type === 'ObjectMethod'
    if (isMethod && property.kind !== 'method') return [valueNamed(name)]
    return [describeValue(name, isMethod ? property : nodeAt(property, 'value'), known)]
  })
}

/** `Object.defineProperty(exports, 'name', …)`, as compilers write it. */
function definedProperty(call: SyntaxNode, isShared: boolean): Exported[] {
  const callee = nodeAt(call, 'callee')
  const [target, name] = nodesAt(call, 'arguments')
  const isDefinition =
    nameOf(nodeAt(callee, 'object')) === 'Object' && nameOf(nodeAt(callee, 'property')) === 'defineProperty'
  const isTarget = (isShared && nameOf(target) === 'exports') || isModuleExports(target)
  const property = name?.type === 'StringLiteral' ? nameOf(name) : undefined
  if (!isDefinition || !isTarget || property === undefined || property === '__esModule') return []
  return [valueNamed(property)]
}

const isModuleExports = (node: SyntaxNode | undefined): boolean =>
  node?.type === 'MemberExpression' &&
  nameOf(nodeAt(node, 'object')) === 'module' &&
  nameOf(nodeAt(node, 'property')) === 'exports'

function propertyOfExports(node: SyntaxNode, isShared: boolean): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  const object = nodeAt(node, 'object')
  const property = nodeAt(node, 'property')
  if (!(isShared && nameOf(object) === 'exports') && !isModuleExports(object)) return undefined
  return node.computed === true && property?.type !== 'StringLiteral' ? undefined : nameOf(property)
}
