import { boundNames, innerNames } from './python-facts.ts'
import type { Statement } from './statements.ts'

/** A statement at the top level of a module, with its body and the clauses that continue it. */
export interface ModulePart {
  statements: readonly Statement[]
  /** Whether it is a function, a class, a decorator or an import. */
  isDefinition: boolean
  /** The names that it binds in the module. */
  binds: ReadonlySet<string>
  /** The names of the module that it reads: when it runs, and for a definition also when it is called. */
  reads: ReadonlySet<string>
}

const continues = /^(?:elif|else|except|finally)\b/
const defines = /^(?:async\s+def|def|class|@|from|import)\b|^@/

/** Divides a module into the statements at its top level. */
export function moduleParts(statements: readonly Statement[]): ModulePart[] {
  const groups: Statement[][] = []
  for (const statement of statements) {
    const last = groups.at(-1)
    if (last && (statement.indent > 0 || continues.test(statement.text))) last.push(statement)
    else groups.push([statement])
  }
  return groups.map(toPart)
}

function toPart(statements: Statement[]): ModulePart {
  const [head] = statements as [Statement]
  if (!defines.test(head.text)) {
    const texts = statements.map(({ text }) => text)
    const binds = new Set(texts.flatMap(innerNames))
    const targets = new Set(texts.flatMap(boundNames))
    const reads = new Set(texts.flatMap(namesIn).filter((name) => !binds.has(name) || targets.has(name)))
    return { statements, isDefinition: false, binds, reads }
  }
  const binds = new Set(boundNames(head.text))
  return { statements, isDefinition: true, binds, reads: new Set(scopesOf(statements).flatMap(freeNames)) }
}

/** Returns the scopes of a definition: those of a class are its methods, since one may bind what another reads from the module. */
function scopesOf(statements: Statement[]): Statement[][] {
  if (!statements[0]?.text.startsWith('class')) return [statements]
  const [head, ...body] = statements as [Statement, ...Statement[]]
  const depth = body.reduce((least, { indent }) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  const scopes = [[head]]
  for (const statement of body)
    if (statement.indent === depth) scopes.push([statement])
    else scopes.at(-1)?.push(statement)
  return scopes
}

/** Returns the names that a function reads or declares global, and does not bind itself. */
export function freeNames(statements: readonly Statement[]): string[] {
  const texts = statements.map(({ text }) => text)
  const own = new Set(texts.flatMap(innerNames))
  for (const text of texts) if (text.startsWith('global ')) for (const name of namesIn(text)) own.delete(name)
  return texts.flatMap(namesIn).filter((name) => !own.has(name))
}

/** Returns the names in a statement that are no attributes. */
export const namesIn = (text: string): string[] => text.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? []
