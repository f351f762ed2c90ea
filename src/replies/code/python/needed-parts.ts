import { freeNames, type ModulePart, namesIn } from './module-parts.ts'

/**
 * Returns the statements of a module that a function needs: they define, bind or change what it reads, directly or by others. A
 * call of a function that changes such a value counts as well.
 */
export function neededParts(parts: readonly ModulePart[], name: string): Set<ModulePart> {
  const makers = makersByName(parts, name)
  const needed = new Set<ModulePart>()
  const names = [name, ...parts.filter(({ isDefinition }) => isDefinition).flatMap(readsAtImport)]
  const seen = new Set(names)
  for (let one = names.pop(); one !== undefined; one = names.pop())
    for (const part of makers.get(one) ?? []) {
      if (needed.has(part)) continue
      needed.add(part)
      for (const read of part.reads)
        if (!seen.has(read)) {
          seen.add(read)
          names.push(read)
        }
    }
  return needed
}

/** Returns what a definition reads when the module is imported: decorators, default values, the body of a class. */
function readsAtImport({ statements, reads }: ModulePart): string[] {
  const head = statements[0]
  if (!head) return []
  return head.text.startsWith('class') ? [...reads] : freeNames([head])
}

/** Returns the statements that define, bind or change each name. */
function makersByName(parts: readonly ModulePart[], name: string): Map<string, ModulePart[]> {
  const makers = new Map<string, ModulePart[]>()
  const add = (key: string, part: ModulePart) => {
    const known = makers.get(key)
    if (!known) makers.set(key, [part])
    else if (known.at(-1) !== part) known.push(part)
  }
  const values = new Set(parts.flatMap(({ isDefinition, binds }) => (isDefinition ? [] : [...binds])))
  const changed = new Map<string, readonly string[]>()
  for (const part of parts) {
    for (const bound of part.binds) add(bound, part)
    if (!part.isDefinition) continue
    for (const bound of part.binds) if (bound !== name) changed.set(bound, changesOf(part, values))
  }
  for (const part of parts) {
    if (part.isDefinition) continue
    for (const read of part.statements.filter(acts).flatMap(({ text }) => namesIn(text))) {
      if (values.has(read)) add(read, part)
      for (const value of changed.get(read) ?? []) add(value, part)
    }
  }
  return makers
}

const shows = /^(?:print\s*\(|assert\b)|:$/

/** Whether a statement may change a value: it does more than print it, check it, or begin a block. */
const acts = ({ text }: { text: string }) => !shows.test(text)

const change = /^(?:del\s+)?([A-Za-z_]\w*)(?:\.\w+|\[[^\]]*\])+\s*(?:\(|[-+*/%&|^@]{0,2}=(?!=)|$)/

/** Returns the values of the module that a function changes when it is called. */
function changesOf({ statements }: ModulePart, values: ReadonlySet<string>): readonly string[] {
  const names = statements.flatMap(({ text }) => {
    if (text.startsWith('global ')) return namesIn(text).slice(1)
    const found = change.exec(text)?.[1]
    return found !== undefined && values.has(found) ? [found] : []
  })
  return [...new Set(names)]
}
