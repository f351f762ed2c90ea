import { type Declarations, describeValue } from './describe-value.ts'
import { type Exported, valueNamed } from './exports.ts'
import { nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts'

/**
 * Returns what a CommonJS file puts into its exports at its top level. A function or class that is all of `module.exports` is
 * called `default`: the module itself.
 */
export function readCommonJs(statements: readonly SyntaxNode[], known: Declarations): Exported[] {
  return statements.flatMap((statement) => {
    const expression = nodeAt(statement, 'expression')
    if (statement.type === 'TSExportAssignment') return wholeExports(expression, known)
    if (statement.type !== 'ExpressionStatement') return []
    if (expression?.type === 'CallExpression') return definedProperty(expression)
    return expression?.type === 'AssignmentExpression' ? assigned(expression, known) : []
  })
}

function assigned(assignment: SyntaxNode, known: Declarations): Exported[] {
  const value = nodeAt(assignment, 'right')
  // `exports.a = exports.b = 1` and `exports = module.exports = {}`.
  const inner = value?.type === 'AssignmentExpression' ? assigned(value, known) : []
  const last = lastValue(value)
  const target = nodeAt(assignment, 'left')
  if (isModuleExports(target)) return [...wholeExports(last, known), ...inner]
  const name = propertyOfExports(target)
  return name === undefined ? inner : [describeValue(name, last, known), ...inner]
}

const lastValue = (value: SyntaxNode | undefined): SyntaxNode | undefined =>
  value?.type === 'AssignmentExpression' ? lastValue(nodeAt(value, 'right')) : value

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
function definedProperty(call: SyntaxNode): Exported[] {
  const callee = nodeAt(call, 'callee')
  const [target, name] = nodesAt(call, 'arguments')
  const isDefinition =
    nameOf(nodeAt(callee, 'object')) === 'Object' && nameOf(nodeAt(callee, 'property')) === 'defineProperty'
  const isTarget = nameOf(target) === 'exports' || isModuleExports(target)
  const property = name?.type === 'StringLiteral' ? nameOf(name) : undefined
  if (!isDefinition || !isTarget || property === undefined || property === '__esModule') return []
  return [valueNamed(property)]
}

const isModuleExports = (node: SyntaxNode | undefined): boolean =>
  node?.type === 'MemberExpression' &&
  nameOf(nodeAt(node, 'object')) === 'module' &&
  nameOf(nodeAt(node, 'property')) === 'exports'

function propertyOfExports(node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== 'MemberExpression') return undefined
  const object = nodeAt(node, 'object')
  const property = nodeAt(node, 'property')
  if (nameOf(object) !== 'exports' && !isModuleExports(object)) return undefined
  return node.computed === true && property?.type !== 'StringLiteral' ? undefined : nameOf(property)
}
