import { nameOf, nodeAt, nodesAt, type SyntaxNode } from '../../src/base/syntax-tree.ts'

/** One name that a file gives to others, as far as its source tells. */
export interface Exported {
  name: string
  kind: 'function' | 'class' | 'value'
  isAsync: boolean
  /** Names of parameters, in order; those of a pattern as `{…}`. Of a class: those of its constructor. */
  parameters: readonly string[]
  /** Public methods of a class. */
  methods: readonly string[]
}

/** What a file exports and how it is loaded, or why it cannot be told. */
export type FileExports =
  | { exported: readonly Exported[]; module: 'esm' | 'commonjs' | 'python' }
  | { error: string }

/** Returns an export of which only the name is known. */
export const valueNamed = (name: string): Exported => ({
  ...{ name, kind: 'value', isAsync: false, parameters: [], methods: [] },
})

/** Returns how a person writes the export down: `async load(path)`, `class Cart(items)`, `limit`. */
export function signature({ name, kind, isAsync, parameters }: Exported): string {
  if (kind === 'value') return name
  const word = kind === 'class' ? 'class ' : isAsync ? 'async ' : ''
  return `${word}${name}(${parameters.join(', ')})`
}

/** What the top level of a file declares, by name. */
export type Declarations = ReadonlyMap<string, SyntaxNode>

/** Describes what an expression or declaration gives, under the name that it is exported by. */
export function describeValue(name: string, value: SyntaxNode | undefined, known: Declarations): Exported {
  switch (value?.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
      return {
        ...{ ...valueNamed(name), kind: 'function', isAsync: value.async === true },
        parameters: parametersOf(value),
      }
    case 'ClassDeclaration':
    case 'ClassExpression':
      return describeClass(name, value)
    case 'Identifier': {
      const declared = known.get(value.name as string)
      // A value may be declared by itself: `const a = a`.
      return declared === undefined || declared === value
        ? valueNamed(name)
        : describeValue(name, declared, new Map([...known].filter(([other]) => other !== value.name)))
    }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return describeValue(name, nodeAt(value, 'expression'), known)
    default:
      return valueNamed(name)
  }
}

function describeClass(name: string, value: SyntaxNode): Exported {
  const members = nodesAt(nodeAt(value, 'body'), 'body').filter(
    ({ type, computed }) => type === 'ClassMethod' && computed !== true,
  )
  const maker = members.find(({ kind }) => kind === 'constructor')
  const methods = members.flatMap((member) => {
    const method = nameOf(nodeAt(member, 'key'))
    const isPublic = member.kind === 'method' && !member.static && !isHidden(member)
    return isPublic && method !== undefined && !method.startsWith('_') ? [method] : []
  })
  return {
    ...{ ...valueNamed(name), kind: 'class', parameters: maker ? parametersOf(maker) : [] },
    methods: [...new Set(methods)],
  }
}

const isHidden = ({ accessibility, abstract }: SyntaxNode) =>
  accessibility === 'private' || accessibility === 'protected' || abstract === true

const parametersOf = (value: SyntaxNode): string[] =>
  nodesAt(value, 'params')
    .map(parameterName)
    .filter((name) => name !== 'this')

function parameterName(node: SyntaxNode): string {
  switch (node.type) {
    case 'Identifier':
      return node.name as string
    case 'AssignmentPattern':
      return parameterName(nodeAt(node, 'left') ?? node)
    case 'RestElement':
      return `...${parameterName(nodeAt(node, 'argument') ?? node)}`
    case 'TSParameterProperty':
      return parameterName(nodeAt(node, 'parameter') ?? node)
    default:
      return node.type === 'ArrayPattern' ? '[…]' : '{…}'
  }
}

/** Returns the names that a declaration declares, with what each is; of a pattern only the names. */
export function declaredBy(statement: SyntaxNode): [name: string, value: SyntaxNode | undefined][] {
  if (statement.type !== 'VariableDeclaration') {
    const name = nameOf(nodeAt(statement, 'id'))
    return name === undefined ? [] : [[name, statement]]
  }
  return nodesAt(statement, 'declarations').flatMap((one) => {
    const id = nodeAt(one, 'id')
    const name = nameOf(id)
    if (name !== undefined) return [[name, nodeAt(one, 'init')] as [string, SyntaxNode | undefined]]
    return boundNames(id).map((bound) => [bound, undefined] as [string, undefined])
  })
}

function boundNames(pattern: SyntaxNode | undefined): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name as string]
    case 'ObjectPattern':
      return nodesAt(pattern, 'properties').flatMap((one) => boundNames(nodeAt(one, 'value') ?? one))
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
