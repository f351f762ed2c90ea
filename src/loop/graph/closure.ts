/** A set of steps by their index, as bits, 32 a word. */
export type Closure = number[]

/** Whether a step is in the set. */
export const hasStep = (closure: Closure, index: number): boolean =>
  ((closure[index >> 5] ?? 0) & (1 << (index & 31))) !== 0

/** Adds another set. */
export function addAll(closure: Closure, other: Closure): void {
  for (let word = 0; word < other.length; word++)
    closure[word] = (closure[word] ?? 0) | (other[word] as number)
}

/** Adds a step and all that it depends on. */
export function addStep(closure: Closure, step: { index: number; closure: Closure }): void {
  addAll(closure, step.closure)
  const word = step.index >> 5
  while (closure.length <= word) closure.push(0)
  closure[word] = (closure[word] as number) | (1 << (step.index & 31))
}

/** Returns the indexes in a set and not in another, ascending. */
export function indexesWithout(closure: Closure, other: Closure): number[] {
  const indexes: number[] = []
  for (let word = 0; word < closure.length; word++)
    for (let rest = (closure[word] as number) & ~(other[word] ?? 0); rest !== 0; rest &= rest - 1)
      indexes.push((word << 5) + (31 - Math.clz32(rest & -rest)))
  return indexes
}

/** Returns how many steps are in a set. */
export function sizeOf(closure: Closure): number {
  let size = 0
  for (const word of closure) for (let rest = word; rest !== 0; rest &= rest - 1) size++
  return size
}
