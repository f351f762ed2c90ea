/** A set of steps by their index, as bits. */
export interface Closure {
  has(index: number): boolean
  /** Adds a step and all that it depends on. */
  add(index: number, closure: Closure): void
  /** Adds another set. */
  join(closure: Closure): void
  /** The indexes in this set and not in another, ascending. */
  without(other: Closure | undefined): number[]
  readonly size: number
  /** The bits, 32 a word. */
  readonly words: readonly number[]
}

/** Creates an empty set. */
export function createClosure(): Closure {
  const words: number[] = []
  let size = 0
  const put = (word: number, bits: number) => {
    while (words.length <= word) words.push(0)
    const before = words[word] as number
    if ((bits & ~before) === 0) return
    size += countBits(bits & ~before)
    words[word] = before | bits
  }
  const join = ({ words: others }: Closure) => {
    for (let word = 0; word < others.length; word++) put(word, others[word] as number)
  }
  return {
    words,
    get size() {
      return size
    },
    has: (index) => ((words[index >> 5] ?? 0) & (1 << (index & 31))) !== 0,
    join,
    add(index, closure) {
      join(closure)
      put(index >> 5, 1 << (index & 31))
    },
    without(other) {
      const indexes: number[] = []
      for (let word = 0; word < words.length; word++)
        for (let rest = (words[word] as number) & ~(other?.words[word] ?? 0); rest !== 0; rest &= rest - 1)
          indexes.push((word << 5) + (31 - Math.clz32(rest & -rest)))
      return indexes
    },
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
