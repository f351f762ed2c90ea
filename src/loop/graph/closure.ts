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
export const sizeOf = (closure: Closure): number => closure.reduce((size, word) => size + countBits(word), 0)

/** Counts the bits of a word: of each pair, of each four, of each byte, and then of all bytes at once. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  const bytes = (fours + (fours >>> 4)) & 0x0f0f0f0f
  return Math.imul(bytes, 0x01010101) >>> 24
}
