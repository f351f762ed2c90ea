/** Returns the names that can be reached from some, these among them; `next` returns undefined of a name that does not exist. */
export function reachable(
  starts: readonly string[],
  next: (name: string) => readonly string[] | undefined,
): Set<string> {
  const reached = new Set<string>()
  const open = [...starts]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const after = reached.has(name) ? undefined : next(name)
    if (!after) continue
    reached.add(name)
    open.push(...after)
  }
  return reached
}

/** Finds names that wait for each other. Returns a circle, with its first name at both ends, for each group of such names. */
export function findCycles(
  names: readonly string[],
  needsOf: (name: string) => readonly string[],
): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  for (const from of names) {
    // Not recursive: a document may have a chain of thousands.
    const trail = new Map<string, Iterator<string>>()
    let at: string | undefined = from
    while (at !== undefined && !done.has(from)) {
      const left = trail.get(at) ?? needsOf(at)[Symbol.iterator]()
      trail.set(at, left)
      const { value: next, done: isEnd } = done.has(at) ? { value: undefined, done: true } : left.next()
      if (next !== undefined && trail.has(next)) {
        const all = [...trail.keys()]
        const cycle = all.slice(all.indexOf(next))
        cycles.push([...cycle, next])
        for (const name of cycle) done.add(name)
      } else if (isEnd) {
        done.add(at)
        trail.delete(at)
        at = [...trail.keys()].at(-1)
      } else if (next !== undefined && !done.has(next)) at = next
    }
  }
  return cycles
}
