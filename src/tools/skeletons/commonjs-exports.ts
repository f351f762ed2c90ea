import { type Declarations, describeValue } from './describe-value.ts'
import { type Exported, valueNamed } from './exports.ts'
import { nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts'

/**
 * Returns what a CommonJS file puts into its exports at its top level. A function or class that is all of `module.exports` is
 * called `default`: the module itself.
 */
export function readCommonJs(statements: readonly SyntaxNode[], known: Declarations): Exported[] {
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

/** Takes `a = b = value` apart. */
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
