import type { CodeFacts, Receiver } from '../code-facts.ts'
import { elision, placeholder } from '../sketch-comments.ts'
import { pythonStatements, type Statement } from './statements.ts'

const definition = /^(?:async\s+)?def\s+(\w+)/
const classHead = /^class\s+(\w+)/
const assignment = /^\(?(\*?\w+(?:\s*,\s*\*?\w+)*)\)?\s*(?::[^=]+)?=(?!=)/
const emptyBody = /^(?:pass|\.\.\.|""|raise\s+NotImplementedError\b.*|return\s+NotImplemented)$/
// What these stand before cannot be called.
const plainValue = /=\s*(?:[-\d"'[{(]|(?:None|True|False|not)\b|[rbfu]{0,2}")/

/** Reads what Python code defines and uses. Code that is indented as a whole is read as if it were not. */
export function pythonFacts(source: string): CodeFacts {
  const statements = pythonStatements(source)
  const top = statements.reduce((least, { indent }) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  const lines = source.split('\n')
  const defines = new Set<string>()
  const methods = new Map<string, Receiver>()
  const uses = new Set<string>()
  const sketches = new Set<string>()
  const functions = new Set<string>()
  const assigned = new Set<string>()
  const bound = new Set<string>()
  let head: Statement | undefined
  let isBody = false
  for (const [i, statement] of statements.entries()) {
    const { text, indent } = statement
    if (!/\w/.test(text)) {
      if (indent === top) head = statement
      continue
    }
    for (const [name] of text.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)) uses.add(name)
    for (const name of innerNames(text)) bound.add(name)
    const name = definition.exec(text)?.[1]
    if (indent === top) {
      head = statement
      for (const one of boundNames(text)) {
        defines.add(one)
        if (!assignment.test(text.slice(0, 500))) functions.add(one)
        else if (canBeCalled(text, one)) assigned.add(one)
      }
      if (name !== undefined && (isSketch(statements, i) || isMarkedSketch(statements, i, lines)))
        sketches.add(name)
    } else if (head && name !== undefined && classHead.test(head.text) && !methods.has(name))
      methods.set(name, { owner: classHead.exec(head.text)?.[1] as string, isInstance: true })
    if (/^(?:return|yield)\b/.test(text) && !(head && /^(?:async\s+def|def|class)\b/.test(head.text)))
      isBody = true
  }
  for (const name of bound) uses.delete(name)
  // The variables of a body are no functions.
  if (!isBody) for (const name of assigned) functions.add(name)
  return { defines, functions, methods, uses, sketches, isBody }
}

/** Whether an assignment binds a name to what can be called: not to a plain value, nor to what the function of this name gives. */
function canBeCalled(text: string, name: string): boolean {
  const value = text.slice(text.indexOf('='))
  return !plainValue.test(value) && !value.split(/\W+/).includes(name)
}

/** Returns the names that are bound within a statement or by it: targets, parameters, loop variables. */
export function innerNames(text: string): string[] {
  const names = boundNames(text)
  const parameters = definition.test(text) ? text.slice(text.indexOf('(') + 1) : ''
  for (const [, name] of parameters.matchAll(/(?:^|,)\s*\*{0,2}(\w+)/g)) names.push(name as string)
  for (const [, list] of text.matchAll(/\b(?:for|lambda)\s+([\w\s,*()]{1,200}?)(?:\sin\b|:)/g))
    names.push(...((list as string).match(/\w+/g) ?? []))
  for (const [, name] of text.matchAll(/\bas\s+(\w+)/g)) names.push(name as string)
  return names
}

/** Returns the names that a statement binds. */
export function boundNames(text: string): string[] {
  const named = definition.exec(text)?.[1] ?? classHead.exec(text)?.[1]
  if (named !== undefined) return [named]
  const imported = /^(?:from\s+[\w.]+\s+)?import\s+([^#;]+)/.exec(text)?.[1]
  if (imported !== undefined)
    return imported
      .replace(/[()]/g, ' ')
      .split(',')
      .map(
        (part) =>
          /(?:\bas\s+)?(\w+)\s*$/.exec(part.includes(' as ') ? part : (part.split('.')[0] ?? ''))?.[1] ?? '',
      )
      .filter((name) => name !== '')
  const targets = assignment.exec(text.slice(0, 500))?.[1]
  return targets?.match(/\w+/g) ?? []
}

/** Whether a function has no body but a docstring and words that stand for one. */
function isSketch(statements: readonly Statement[], at: number): boolean {
  const { indent, text } = statements[at] as Statement
  if (!text.endsWith(':')) return /:\s*(?:pass|\.\.\.)$/.test(text)
  let i = at + 1
  for (; i < statements.length && (statements[i]?.indent ?? 0) > indent; i++)
    if (!emptyBody.test(statements[i]?.text ?? '')) return false
  return true
}

/** Whether comments mark the body as left out, and little else stands in it: `# your code here`, `# ... existing code ...`. */
function isMarkedSketch(statements: readonly Statement[], at: number, lines: readonly string[]): boolean {
  const { indent, begin } = statements[at] as Statement
  let next = at + 1
  while (next < statements.length && (statements[next]?.indent ?? 0) > indent) next++
  const end = statements[next]?.begin ?? lines.length
  const body = statements.slice(at + 1, next).filter(({ text }) => !emptyBody.test(text))
  if (body.length > 3 || end - begin > 40) return false
  const text = lines.slice(begin, end).join('\n')
  return elision.test(text) || (body.length <= 1 && isPlainReturn(body[0]) && placeholder.test(text))
}

const isPlainReturn = (statement: Statement | undefined) =>
  statement === undefined || /^return(?:\s+(?:None|True|False|-?\d+|""|\[\]|\{\}))?$/.test(statement.text)
