import { namesOf, parsePython, type Statement } from './parse-python.ts'

/** A statement at the top level of a module, with its body. */
interface ModulePart {
  statements: Statement[]
  /** Whether it is a function, a class, a decorator or an import. */
  isDefinition: boolean
  /** The names that it binds in the module. */
  binds: ReadonlySet<string>
  /** The names of the module that it reads: when it runs, and for a definition also when it is called. */
  reads: ReadonlySet<string>
}

/**
 * Returns Python code without what tries the function at the top level: example calls, prints, assertions, reads of input and the
 * main guard. They would run when the tests import the file. What the function needs stays, and so does any other statement,
 * unless it reads what was left out.
 */
export function withoutUsage(code: string, name: string): string {
  const parts = moduleParts(code)
  const needed = neededParts(parts, name)
  const isUsage = usageOf(parts, name)
  const lost = new Set<string>()
  const dropped = parts.filter((part) => {
    const { kind, from, to, names, isBroken } = part.statements[0] as Statement
    // What is no Python may be prose: the file must fail by it.
    const isProse = isBroken && kind !== 'AssertStatement' && !names[0]?.isCalled
    if (part.isDefinition || isProse) return false
    if (/^if\s+\(?\s*__name__\b/.test(code.slice(from, to))) return true
    const isDropped =
      (kind !== 'TryStatement' && calls(part).includes('input')) ||
      [...part.reads].some((read) => lost.has(read)) ||
      (!needed.has(part) && isUsage(part))
    for (const bound of part.binds)
      if (isDropped) lost.add(bound)
      else lost.delete(bound)
    return isDropped
  })
  return dropped.length === 0 ? code : withoutParts(code, dropped)
}

const definition = /^(?:FunctionDefinition|ClassDefinition|TypeDefinition|Decorator|ImportStatement)$/

/** Divides a module into the statements at its top level; those of one line are one. */
function moduleParts(code: string): ModulePart[] {
  const groups: Statement[][] = []
  for (const statement of parsePython(code)) {
    const last = groups.at(-1)
    if (last && statement.depth > 0) last.push(statement)
    else groups.push([statement])
  }
  return groups.map((statements) => {
    const isDefinition = definition.test(statements[0]?.kind ?? '')
    const heads = isDefinition ? statements.slice(0, 1) : statements
    const targets = new Set(namesOf(heads, 'binds'))
    if (isDefinition)
      return {
        statements,
        isDefinition,
        binds: targets,
        reads: new Set(scopesOf(statements).flatMap(freeNames)),
      }
    const binds = new Set(namesOf(heads, 'binds', 'inner'))
    const reads = namesOf(heads, 'reads', 'binds').filter((one) => !binds.has(one) || targets.has(one))
    return { statements, isDefinition, binds, reads: new Set(reads) }
  })
}

/** Returns the scopes of a definition: those of a class are its methods, since one may bind what another reads from the module. */
function scopesOf(statements: Statement[]): Statement[][] {
  const scopes: Statement[][] = []
  for (const statement of statements)
    if (scopes.length === 0 || (statement.depth === 1 && statements[0]?.kind === 'ClassDefinition'))
      scopes.push([statement])
    else scopes.at(-1)?.push(statement)
  return scopes
}

/** Returns the names that a function reads or declares global, and does not bind itself. */
function freeNames(statements: readonly Statement[]): string[] {
  const own = new Set(namesOf(statements, 'binds', 'inner'))
  const global = namesOf(statements, 'global')
  for (const name of global) own.delete(name)
  return [...namesOf(statements, 'reads').filter((name) => !own.has(name)), ...global]
}

/**
 * Returns the parts of a module that a function needs: they define, bind or change what it reads, directly or by others. A call of a
 * function that changes such a value counts as well.
 */
function neededParts(parts: readonly ModulePart[], name: string): Set<ModulePart> {
  const makers = makersByName(parts, name)
  const needed = new Set<ModulePart>()
  // What a definition reads when the module is imported: decorators, default values, the body of a class.
  const atImport = parts.flatMap(({ isDefinition, statements, reads }) =>
    !isDefinition
      ? []
      : statements[0]?.kind === 'ClassDefinition'
        ? [...reads]
        : freeNames(statements.slice(0, 1)),
  )
  const seen = new Set([name, ...atImport])
  for (const one of seen)
    for (const part of makers.get(one) ?? []) {
      needed.add(part)
      for (const read of part.reads) seen.add(read)
    }
  return needed
}

/** Returns the parts that define, bind or change each name. */
function makersByName(parts: readonly ModulePart[], name: string): Map<string, Set<ModulePart>> {
  const makers = new Map<string, Set<ModulePart>>()
  const add = (key: string, part: ModulePart) => makers.set(key, (makers.get(key) ?? new Set()).add(part))
  const values = new Set(parts.flatMap(({ isDefinition, binds }) => (isDefinition ? [] : [...binds])))
  const changed = new Map<string, readonly string[]>()
  for (const part of parts) {
    for (const bound of part.binds) add(bound, part)
    if (part.isDefinition)
      for (const bound of part.binds) if (bound !== name) changed.set(bound, changesOf(part, values))
  }
  for (const part of parts) {
    if (part.isDefinition) continue
    for (const { name: read } of part.statements.filter(acts).flatMap(({ names }) => names)) {
      if (values.has(read)) add(read, part)
      for (const value of changed.get(read) ?? []) add(value, part)
    }
  }
  return makers
}

const isHead = /^(?:If|For|While|With|Try|Match)Statement$|Definition$/
const shows = /^(?:print|main|check|exit|quit|test\w*|(?:doctest|unittest)\.\w+)$/

const calls = ({ statements }: { statements: readonly Statement[] }): string[] =>
  statements.flatMap(({ names }) => names.flatMap(({ path, isCalled }) => (isCalled ? [path] : [])))

/** Whether a statement is a call that shows something or runs checks. */
const isShow = ({ kind, names: [head] }: Statement) =>
  kind === 'ExpressionStatement' && head?.isCalled === true && shows.test(head.path)

/** Whether a statement may change a value: it does more than print it, check it, or begin a block. */
const acts = (one: Statement) =>
  one.kind !== 'AssertStatement' && !isHead.test(one.kind) && !(isShow(one) && one.names[0]?.path === 'print')

/** Returns the values of the module that a function changes when it is called. */
function changesOf({ statements }: ModulePart, values: ReadonlySet<string>): readonly string[] {
  const changed = statements.flatMap(({ changes }) =>
    changes !== undefined && values.has(changes) ? [changes] : [],
  )
  return [...new Set([...changed, ...namesOf(statements, 'global')])]
}

/** Returns what tells whether a statement shows or tries the function, also by another function. */
function usageOf(parts: readonly ModulePart[], name: string): (part: ModulePart) => boolean {
  const isTry = (one: Statement) =>
    one.kind === 'AssertStatement' ||
    one.names.some(({ path, isCalled }) =>
      isCalled ? path === name || path === 'input' || path === 'sys.exit' : path === 'sys.stdin',
    )
  const tries = new Set(
    parts
      .filter(
        ({ isDefinition, binds, statements }) => isDefinition && !binds.has(name) && statements.some(isTry),
      )
      .flatMap(({ binds }) => [...binds]),
  )
  return (part) =>
    part.statements.some((one) => isTry(one) || isShow(one)) ||
    calls(part).some((called) => tries.has(called))
}

function withoutParts(code: string, parts: readonly ModulePart[]): string {
  let kept = ''
  let at = 0
  for (const { statements } of parts) {
    const begin = code.lastIndexOf('\n', statements[0]?.from ?? 0) + 1
    const end = code.indexOf(
      '\n',
      statements.reduce((most, { to }) => Math.max(most, to), 0),
    )
    kept += code.slice(at, begin)
    at = end < 0 ? code.length : end + 1
  }
  return (kept + code.slice(at)).trimEnd()
}
