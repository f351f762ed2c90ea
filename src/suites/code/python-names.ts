import { boundNames, innerNames } from '../../replies/code/python/python-facts.ts'
import { pythonStatements, type Statement } from '../../replies/code/python/statements.ts'

/** What a top-level statement of Python code binds a name to. */
export interface Binding {
  kind: 'function' | 'class' | 'import' | 'variable'
  /** The statement, with the contents of strings left out. */
  text: string
}

/** Returns the names that Python code binds at its top level. */
export function topLevelNames(code: string): Map<string, Binding> {
  const names = new Map<string, Binding>()
  for (const { text, indent } of pythonStatements(code)) {
    if (indent > 0) continue
    for (const name of boundNames(text)) names.set(name, { kind: kindOf(text), text })
  }
  return names
}

function kindOf(text: string): Binding['kind'] {
  if (/^(?:async\s+)?def\b/.test(text)) return 'function'
  if (/^class\b/.test(text)) return 'class'
  return /^(?:from|import)\b/.test(text) ? 'import' : 'variable'
}

/** Returns the names that statements read and do not bind themselves: no attributes, no keywords of calls. */
export function namesUsed(statements: readonly Statement[]): Set<string> {
  const texts = statements.map(({ text }) => text)
  const bound = new Set(texts.flatMap(innerNames))
  const read = texts.flatMap((text) => text.match(/(?<![\w.])[A-Za-z_]\w*\b(?!\s*=(?!=))/g) ?? [])
  return new Set(read.filter((name) => !bound.has(name)))
}

/** Returns the names that statements call, in their order. */
export function namesCalled(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ text }) => text.match(/(?<![\w.])[A-Za-z_]\w*(?=\s*\()/g) ?? [])
}
