import { boundNames, innerNames } from './python-facts.ts'
import { pythonStatements, type Statement } from './statements.ts'

/**
 * Returns Python code without the example calls, prints, assertions, reads of input and main guard at its end. They would run when
 * the tests import the file. From the first of them on, nothing is kept, if no function needs what stands there.
 */
export function withoutUsage(code: string, name: string): string {
  const statements = pythonStatements(code)
  const tops = statements.filter(({ indent }) => indent === 0)
  const uses = usage(name)
  const needed = globalNames(statements)
  let cut: Statement | undefined
  for (const top of tops.toReversed()) {
    if (/^(?:async\s+def|def|class|@|from|import)\b/.test(top.text)) break
    if (boundNames(top.text).some((bound) => bound === name || needed.has(bound))) break
    if (uses.test(top.text)) cut = top
  }
  if (cut === undefined) return code
  return code.split('\n').slice(0, cut.begin).join('\n').trimEnd()
}

/** A statement that shows or tries the function. */
const usage = (name: string) =>
  new RegExp(
    `^(?:if\\s+__name__\\b|print\\s*\\(|assert\\b|(?:doctest|unittest)\\.|main\\(|test\\w*\\(|check\\(|exit\\(|quit\\()|(?<![\\w.])input\\s*\\(|(?<![\\w.])${name.replaceAll('$', '\\$')}\\s*\\(|\\bsys\\.(?:stdin|exit)\\b`,
  )

/** Returns the names that functions read and do not bind themselves. */
function globalNames(statements: readonly Statement[]): Set<string> {
  const inner = statements.filter(({ indent, text }) => indent > 0 || /^(?:async\s+)?def\b/.test(text))
  const names = new Set(inner.flatMap(({ text }) => text.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? []))
  for (const { text } of inner) for (const name of innerNames(text)) names.delete(name)
  for (const { text } of inner)
    if (/^global\b/.test(text)) for (const name of text.match(/\w+/g) ?? []) names.add(name)
  return names
}
