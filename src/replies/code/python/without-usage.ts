import { type ModulePart, moduleParts } from './module-parts.ts'
import { neededParts } from './needed-parts.ts'
import { pythonStatements } from './statements.ts'

// No person writes so many in one file.
const mostStatements = 20_000

/**
 * Returns Python code without what tries the function at the top level: example calls, prints, assertions, reads of input and the
 * main guard. They would run when the tests import the file. What the function needs stays, and so does any other statement,
 * unless it reads what was left out.
 */
export function withoutUsage(code: string, name: string): string {
  const statements = pythonStatements(code)
  if (statements.length > mostStatements) return code
  const parts = moduleParts(statements)
  const needed = neededParts(parts, name)
  const isUsage = usageOf(parts, name)
  const lost = new Set<string>()
  const dropped = parts.filter((part) => {
    if (part.isDefinition) return false
    if (mainGuard.test(part.statements[0]?.text ?? '')) return true
    const isDropped =
      readsInput(part) ||
      [...part.reads].some((read) => lost.has(read)) ||
      (!needed.has(part) && isUsage(part))
    for (const bound of part.binds)
      if (isDropped) lost.add(bound)
      else lost.delete(bound)
    return isDropped
  })
  return dropped.length === 0 ? code : withoutLines(code, dropped)
}

const mainGuard = /^if\s+\(?\s*__name__\b/
const input = /(?<![\w.])input\s*\(/

/** Whether a statement reads input, which is at its end, without a plan for that. */
const readsInput = ({ statements }: ModulePart) =>
  !/^try\b/.test(statements[0]?.text ?? '') && statements.some(({ text }) => input.test(text))

/** Returns what tells whether a statement shows or tries the function, also by another function. */
function usageOf(parts: readonly ModulePart[], name: string): (part: ModulePart) => boolean {
  const call = `(?<![\\w.])${name.replaceAll('$', '\\$')}\\s*\\(|(?<![\\w.])input\\s*\\(|\\bsys\\.(?:stdin|exit)\\b`
  const shown = new RegExp(
    `^(?:print\\s*\\(|assert\\b|(?:doctest|unittest)\\.|main\\(|test\\w*\\(|check\\(|exit\\(|quit\\()|${call}`,
  )
  const tried = new RegExp(`^assert\\b|${call}`)
  const tries = new Set(
    parts
      .filter(({ isDefinition, binds }) => isDefinition && !binds.has(name))
      .filter(({ statements }) => statements.some(({ text }) => tried.test(text)))
      .flatMap(({ binds }) => [...binds]),
  )
  return ({ statements }) =>
    statements.some(
      ({ text }) =>
        shown.test(text) ||
        [...text.matchAll(/(?<![\w.])(\w+)\s*\(/g)].some(([, called]) => tries.has(called ?? '')),
    )
}

function withoutLines(code: string, parts: readonly ModulePart[]): string {
  const lines: (string | undefined)[] = code.split('\n')
  for (const { statements } of parts)
    lines.fill(undefined, statements[0]?.begin ?? 0, statements.at(-1)?.end ?? 0)
  return lines
    .filter((line) => line !== undefined)
    .join('\n')
    .trimEnd()
}
