import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../../tools/skeletons/syntax-tree.ts'

/** JavaScript that ends in a function whose body is to be written. */
export interface OpenFunction {
  name: string
  /** The code before the function: helpers, each with the names that it binds. */
  helpers: { names: string[]; text: string }[]
}

/** Reads code that ends in an open function, `const f = (a) => {` or `function f(a) {`; undefined if it does not. */
export function openFunction(prompt: string): OpenFunction | undefined {
  const source = `${prompt}\n}`
  const parsed = parseSource(source, 'prompt.cjs')
  if ('error' in parsed) return undefined
  const last = parsed.statements.at(-1)
  const [name, ...others] = namesOf(last)
  if (name === undefined || others.length > 0 || last?.end !== source.length) return undefined
  const helpers = parsed.statements.slice(0, -1).map((statement) => ({
    names: namesOf(statement),
    text: source.slice(statement.start as number, statement.end as number),
  }))
  return { name, helpers }
}

function namesOf(statement: SyntaxNode | undefined): string[] {
  const declared =
    statement?.type === 'VariableDeclaration'
      ? nodesAt(statement, 'declarations').map((one) => nameOf(nodeAt(one, 'id')))
      : [nameOf(nodeAt(statement, 'id'))]
  return declared.filter((name) => name !== undefined)
}
