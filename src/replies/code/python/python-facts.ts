import type { CodeFacts, Receiver } from '../code-facts.ts'
import { elision, placeholder } from '../code-facts.ts'
import { namesOf, parsePython, type Statement } from './parse-python.ts'

/** Values that may be functions; others, such as lists and numbers, cannot be called. */
const callable = /^(?:VariableName|MemberExpression|CallExpression|LambdaExpression|ConditionalExpression)$/

/** Python code, read. */
export interface PythonFacts extends CodeFacts {
  statements: readonly Statement[]
}

/** Reads what Python code defines and uses. Code that is indented as a whole is read as if it were not. */
export function pythonFacts(source: string): PythonFacts {
  const statements = parsePython(source)
  const defines = new Set<string>()
  const functions = new Set<string>()
  const methods = new Map<string, Receiver>()
  const sketches = new Set<string>()
  const assigned = new Set<string>()
  let owner: string | undefined
  let isBody = false
  let head = ''
  for (const [at, statement] of statements.entries()) {
    const { kind, depth, isInner, beginsLine, to, value } = statement
    const bound = namesOf([statement], 'binds')
    if (depth === 0) head = kind
    if (/^(?:Return|Yield)/.test(kind) && !isInner && !/Definition$/.test(head) && beginsLine) isBody = true
    if (depth === 0) {
      owner = kind === 'ClassDefinition' ? bound[0] : undefined
      const given = value && callable.test(value.kind) ? source.slice(value.from, to).split(/\W+/) : undefined
      for (const name of bound) {
        defines.add(name)
        if (kind !== 'AssignStatement') functions.add(name)
        else if (given && !given.includes(name)) assigned.add(name)
        if (kind === 'FunctionDefinition' && isSketch(source, statements, at)) sketches.add(name)
      }
    } else if (owner !== undefined && kind === 'FunctionDefinition')
      for (const name of bound) if (!methods.has(name)) methods.set(name, { owner, isInstance: true })
  }
  // The variables of a body are no functions.
  if (!isBody) for (const name of assigned) functions.add(name)
  const uses = new Set(namesOf(statements, 'reads'))
  for (const name of namesOf(statements, 'binds', 'inner')) uses.delete(name)
  return { defines, functions, methods, uses, sketches, isBody, statements }
}

const empty =
  /^(?:pass|\.\.\.|raise\s+NotImplementedError\b.*|return\s+NotImplemented|[rbu]{0,2}(?:"[\s\S]*"|'[\s\S]*'))$/i
const plainReturn = /^return(?:\s+(?:None|True|False|-?\d+|\[\]|\{\}|".*"|'.*'))?$/

/**
 * Whether a function has no body but a docstring and words that stand for one, or little beside a comment that marks the body as left
 * out: `# your code here`, `# ... existing code ...`.
 */
function isSketch(source: string, statements: readonly Statement[], at: number): boolean {
  const { depth, from } = statements[at] as Statement
  let next = at + 1
  while ((statements[next]?.depth ?? depth) > depth) next++
  const texts = statements.slice(at + 1, next).map((one) => source.slice(one.from, one.to))
  const body = texts.filter((text) => !empty.test(text))
  if (body.length === 0) return true
  const whole = source.slice(from, statements[next]?.from)
  if (body.length > 3 || whole.split('\n').length > 40) return false
  return (
    elision.test(whole) ||
    (body.length === 1 && plainReturn.test(body[0] as string) && placeholder.test(whole))
  )
}
