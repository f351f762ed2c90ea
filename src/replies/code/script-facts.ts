import type { ParserOptions } from '@babel/parser'
import { loadPackage } from '../../base/load-package.ts'
import { nameOf, nodeAt, nodesAt, type SyntaxNode } from '../../base/syntax-tree.ts'
import type { CodeFacts, Receiver } from './code-facts.ts'

/** JavaScript or TypeScript code, read. */
export interface ScriptFacts extends CodeFacts {
  /** The names under which it exports something as a module; `default` for the default. */
  exports: ReadonlySet<string>
  /** Whether it could be parsed; else its lines were looked at. */
  isParsed: boolean
  statements: readonly SyntaxNode[]
}

// Nobody writes a longer file for one function. A parser takes seconds for a megabyte of hostile text.
const longestParsed = 60_000

/**
 * Parses JavaScript or TypeScript code, whichever it is; undefined if it is neither, is nested too deeply, or is longer than 60,000
 * characters.
 */
function parseScript(source: string): readonly SyntaxNode[] | undefined {
  if (source.length > longestParsed) return undefined
  const { parse } = loadPackage('@babel/parser') as typeof import('@babel/parser')
  for (const plugins of [['jsx'], ['typescript', 'decorators'], ['typescript', 'jsx', 'decorators']] as const)
    try {
      const options: ParserOptions = {
        sourceType: 'unambiguous',
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        plugins: [...plugins],
      }
      return parse(source, options).program.body as unknown as SyntaxNode[]
    } catch {}
  return undefined
}

/** Reads what JavaScript or TypeScript code defines, exports and uses. */
export function scriptFacts(source: string): ScriptFacts {
  const statements = parseScript(source)
  const facts = {
    defines: new Set<string>(),
    functions: new Set<string>(),
    methods: new Map<string, Receiver>(),
    uses: new Set((source.match(/(?<![\w$.])[A-Za-z_$][\w$]*/g) ?? []) as string[]),
    sketches: new Set<string>(),
    isBody: /^[ \t]*return\b/m.test(source),
    exports: new Set<string>(),
    isParsed: statements !== undefined,
    statements: statements ?? [],
  }
  if (statements === undefined) readLines(source, facts)
  for (const statement of facts.statements) readStatement(statement, facts)
  for (const [, name = '', names = ''] of source.matchAll(binding))
    for (const bound of names.match(/[\w$]+/g) ?? [name]) facts.uses.delete(bound)
  if (statements) facts.isBody = statements.some(({ type }) => type === 'ReturnStatement')
  return facts
}

/** What binds names anywhere: a declaration, the parameters of a function. */
const binding = /\b(?:const|let|var|function\*?|class)\s+([\w$]+)|\(([\w$\s,=.{}[\]]{1,200})\)\s*(?:=>|\{)/g

type Found = {
  defines: Set<string>
  functions: Set<string>
  methods: Map<string, Receiver>
  sketches: Set<string>
  exports: Set<string>
}

function readStatement(statement: SyntaxNode, found: Found): void {
  const { type } = statement
  const declared = nodeAt(statement, 'declaration')
  if (type === 'ExportNamedDeclaration' || type === 'ExportDefaultDeclaration') {
    const before = new Set(found.defines)
    if (declared) readStatement(declared, found)
    if (declared?.type === 'Identifier') found.exports.add('default')
    for (const name of found.defines)
      if (!before.has(name)) found.exports.add(type === 'ExportDefaultDeclaration' ? 'default' : name)
    for (const specifier of nodesAt(statement, 'specifiers'))
      found.exports.add(nameOf(nodeAt(specifier, 'exported')) ?? '')
    return
  }
  if (type === 'ImportDeclaration')
    for (const specifier of nodesAt(statement, 'specifiers')) {
      define(found, nodeAt(specifier, 'local'))
      found.functions.add(nameOf(nodeAt(specifier, 'local')) ?? '')
    }
  if (type === 'VariableDeclaration')
    for (const declarator of nodesAt(statement, 'declarations'))
      defineValue(found, nodeAt(declarator, 'id'), nodeAt(declarator, 'init'))
  if (type === 'ExpressionStatement') readAssignment(nodeAt(statement, 'expression'), found)
  if (/^(?:Function|Class|TSInterface|TSTypeAlias|TSEnum|TSDeclare)\w*$/.test(type))
    defineValue(found, nodeAt(statement, 'id'), statement)
}

function define(found: Found, pattern: SyntaxNode | undefined): void {
  const name = nameOf(pattern)
  if (name !== undefined) found.defines.add(name)
  for (const property of nodesAt(pattern, 'properties'))
    define(found, nodeAt(property, 'value') ?? nodeAt(property, 'argument'))
  for (const element of nodesAt(pattern, 'elements')) define(found, element)
}

function defineValue(found: Found, pattern: SyntaxNode | undefined, value: SyntaxNode | undefined): void {
  define(found, pattern)
  const name = nameOf(pattern)
  if (name === undefined || !value) return
  if (canBeCalled(value, name)) found.functions.add(name)
  if (isSketch(value)) found.sketches.add(name)
  const isClass = /^Class/.test(value.type)
  const members = isClass ? nodesAt(nodeAt(value, 'body'), 'body') : nodesAt(value, 'properties')
  for (const member of members) {
    const method = nameOf(nodeAt(member, 'key'))
    const isMethod = /Method|ClassProperty|PropertyDefinition|ObjectProperty/.test(member.type)
    if (method !== undefined && isMethod && !found.methods.has(method))
      found.methods.set(method, { owner: name, isInstance: isClass && member.static !== true })
  }
}

/** Reads `f = …`, `exports.f = …`, `globalThis.f = …`, `module.exports = { f }`. */
function readAssignment(expression: SyntaxNode | undefined, found: Found): void {
  if (expression?.type !== 'AssignmentExpression') return
  const left = nodeAt(expression, 'left')
  const right = nodeAt(expression, 'right')
  if (left?.type === 'Identifier') defineValue(found, left, right)
  if (left?.type !== 'MemberExpression') return
  const object = nameOf(nodeAt(left, 'object'))
  const property = nodeAt(left, 'property')
  if (object === 'module' && nameOf(property) === 'exports') {
    const inner = nodeAt(right, 'id')
    if (inner) defineValue(found, inner, right)
    for (const one of nodesAt(right, 'properties'))
      defineValue(found, nodeAt(one, 'key'), nodeAt(one, 'value') ?? one)
  } else if (['exports', 'globalThis', 'window', 'global'].includes(object ?? ''))
    defineValue(found, property, right)
  else if (nameOf(nodeAt(nodeAt(left, 'object'), 'property')) === 'exports')
    defineValue(found, property, right)
}

/** Whether a value can be called: no plain value, nor what the function of this name gives. */
function canBeCalled(value: SyntaxNode, name: string): boolean {
  if (
    /^(?:Array|Object|Binary|Unary|Template|Update)|Literal$/.test(value.type) &&
    !/Method/.test(value.type)
  )
    return false
  const call = value.type === 'AwaitExpression' ? nodeAt(value, 'argument') : value
  return call?.type !== 'CallExpression' || nameOf(nodeAt(call, 'callee')) !== name
}

/** Whether a function has no body, or only throws. */
function isSketch(value: SyntaxNode): boolean {
  if (value.type === 'TSDeclareFunction') return true
  if (!/Function/.test(value.type)) return false
  const body = nodeAt(value, 'body')
  return (
    body?.type === 'BlockStatement' && nodesAt(body, 'body').every(({ type }) => type === 'ThrowStatement')
  )
}

const lineDeclaration =
  /^(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function\s*\*?|class|const|let|var)\s+([\w$]+)|^(?:module\.)?exports\.([\w$]+)\s*=|^([\w$]+)\s*=(?!=)/gm

/** Finds declarations at the begin of lines, where the code cannot be parsed. */
function readLines(source: string, { defines, functions }: Found): void {
  for (const [, declared, exported, assigned] of source.matchAll(lineDeclaration)) {
    const name = (declared ?? exported ?? assigned) as string
    defines.add(name)
    functions.add(name)
  }
}
