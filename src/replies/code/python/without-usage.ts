import { namesOf, type Statement } from './parse-python.ts'

/** A statement at the top level of a module, with its body. */
interface ModulePart {
  statements: Statement[]
  head: Statement
  /** Whether it is a function, a class, a decorator or an import. */
  isDefinition: boolean
  /** The names that it binds in the module, and those of the module that it reads, also when it is called. */
  binds: ReadonlySet<string>
  reads: ReadonlySet<string>
}

/**
 * Returns Python code without what tries the function at the top level: example calls, prints, assertions, reads of input and the
 * main guard. They would run when the tests import the file. What its functions need stays, and so does any other statement,
 * unless it reads what was left out.
 */
export function withoutUsage(code: string, name: string, statements: readonly Statement[]): string {
  const parts = moduleParts(statements)
  const isUsage = usageOf(parts, name)
  const needed = neededParts(parts, name, isUsage)
  const lost = new Set<string>()
  let kept = ''
  let at = 0
  for (const part of parts) {
    const { isDefinition, head, statements, binds, reads } = part
    // What is no Python may be prose: the file must fail by it.
    const isProse = head.isBroken && head.kind !== 'AssertStatement' && !head.names[0]?.isCalled
    if (isDefinition || isProse) continue
    const isGuard = /^if\s+\(?\s*__name__\b/.test(code.slice(head.from, head.to))
    const readsInput = head.kind !== 'TryStatement' && callsIn(statements).includes('input')
    const isLost = [...reads].some((read) => lost.has(read))
    const isDropped = isGuard || readsInput || isLost || (!needed.has(part) && isUsage(part))
    if (!isGuard) for (const bound of binds) isDropped ? lost.add(bound) : lost.delete(bound)
    if (!isDropped) continue
    kept += code.slice(at, head.from)
    const end = code.indexOf(
      '\n',
      statements.reduce((most, { to }) => Math.max(most, to), 0),
    )
    at = end < 0 ? code.length : end + 1
  }
  return at === 0 ? code : (kept + code.slice(at)).trimEnd()
}

/** Divides a module into the statements at its top level. */
function moduleParts(statements: readonly Statement[]): ModulePart[] {
  const groups: [Statement, ...Statement[]][] = []
  for (const statement of statements) {
    const last = groups.at(-1)
    if (last && statement.depth > 0) last.push(statement)
    else groups.push([statement])
  }
  return groups.map((group) => {
    const [head] = group
    const isDefinition = /Definition$|^(?:Decorator|ImportStatement)$/.test(head.kind)
    if (isDefinition) {
      const reads = new Set(scopesOf(group).flatMap(freeNames))
      return { statements: group, head, isDefinition, binds: new Set(namesOf([head], 'binds')), reads }
    }
    const targets = new Set(namesOf(group, 'binds'))
    const binds = new Set(namesOf(group, 'binds', 'inner'))
    const reads = namesOf(group, 'reads', 'binds').filter((one) => !binds.has(one) || targets.has(one))
    return { statements: group, head, isDefinition, binds, reads: new Set(reads) }
  })
}

/** Returns the scopes of a definition: those of a class are its methods, since one may bind what another reads from the module. */
function scopesOf([head, ...body]: readonly [Statement, ...Statement[]]): Statement[][] {
  const scopes = [[head]]
  for (const statement of body)
    if (statement.depth === 1 && head.kind === 'ClassDefinition') scopes.push([statement])
    else scopes.at(-1)?.push(statement)
  return scopes
}

/** Returns the names that a function reads or declares global, and does not bind itself. */
function freeNames(statements: readonly Statement[]): string[] {
  const global = new Set(namesOf(statements, 'global'))
  const own = new Set(namesOf(statements, 'binds', 'inner').filter((name) => !global.has(name)))
  return [...namesOf(statements, 'reads').filter((name) => !own.has(name)), ...global]
}

const callsIn = (statements: readonly Statement[]): string[] =>
  statements.flatMap(({ names }) => names.flatMap(({ path, isCalled }) => (isCalled ? [path] : [])))

const begins = /^(?:If|For|While|With|Try|Match|Assert)Statement$|Definition$/

/**
 * Returns the statements that functions need which try nothing: they bind or change what these read, directly, by others, or by a call
 * of a function that does.
 */
function neededParts(
  parts: readonly ModulePart[],
  name: string,
  isUsage: (part: ModulePart) => boolean,
): ReadonlySet<ModulePart> {
  const definitions = parts.filter(({ isDefinition }) => isDefinition)
  const others = parts.filter(({ isDefinition }) => !isDefinition)
  const values = new Set(others.flatMap(({ binds }) => [...binds]))
  const changed = new Map<string, ReadonlySet<string>>()
  for (const { statements, binds } of definitions)
    for (const bound of binds)
      changed.set(
        bound,
        new Set(
          [...namesOf(statements, 'global'), ...statements.flatMap(({ changes }) => changes ?? [])].filter(
            (one) => values.has(one),
          ),
        ),
      )
  const names = new Set([
    name,
    ...definitions.filter((one) => !isUsage(one)).flatMap(({ reads }) => [...reads]),
  ])
  const needed = new Set<ModulePart>()
  for (const part of others.reverse()) {
    // A statement that does more than print a value, check it, or begin a block may change it.
    const acting = part.statements.filter((one) => !begins.test(one.kind) && !isShow(one, /^print$/))
    const touched = new Set(acting.flatMap((one) => one.names.map(({ name }) => name)))
    const isWanted = (one: string) => names.has(one)
    const changes = (one: string) =>
      (values.has(one) && isWanted(one)) || [...(changed.get(one) ?? [])].some(isWanted)
    if (![...part.binds].some(isWanted) && ![...touched].some(changes)) continue
    needed.add(part)
    for (const read of part.reads) names.add(read)
  }
  return needed
}

const shows = /^(?:print|main|check|exit|quit|test\w*|(?:doctest|unittest)\.\w+)$/

/** Whether a statement is a call that shows something or runs checks. */
const isShow = ({ kind, names: [head] }: Statement, names = shows) =>
  kind === 'ExpressionStatement' && head?.isCalled === true && names.test(head.path)

/** Returns what tells whether a part shows or tries the function, also by another function; of a function, whether it tries. */
function usageOf(parts: readonly ModulePart[], name: string): (part: ModulePart) => boolean {
  const called = new Set([name, 'input', 'sys.exit'])
  const isTry = ({ kind, names }: Statement) =>
    kind === 'AssertStatement' ||
    names.some(({ path, isCalled }) => path === 'sys.stdin' || (isCalled && called.has(path)))
  const definesTry = ({ isDefinition, binds, statements }: ModulePart) =>
    isDefinition && !binds.has(name) && statements.some(isTry)
  const tries = new Set(parts.filter(definesTry).flatMap(({ binds }) => [...binds]))
  return (part) =>
    part.isDefinition
      ? definesTry(part)
      : part.statements.some((one) => isTry(one) || isShow(one)) ||
        callsIn(part.statements).some((one) => tries.has(one))
}
