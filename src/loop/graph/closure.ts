/** A set of steps by their index, as bits. */
export interface Closure {
  has(index: number): boolean
  /** Adds a step and all that it depends on. */
  add(index: number, closure: Closure): void
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
    const fresh = bits & ~(words[word] ?? 0)
    words[word] = (words[word] ?? 0) | bits
    size += countBits(fresh)
  }
  return {
    words,
    get size() {
      return size
    },
    has: (index) => ((words[index >> 5] ?? 0) & (1 << (index & 31))) !== 0,
    add(index, { words: others }) {
      others.forEach((bits, word) => {
        put(word, bits)
      })
      put(index >> 5, 1 << (index & 31))
    },
    without: (other) =>
      words.flatMap((bits, word) => indexesOf(bits & ~(other?.words[word] ?? 0), word << 5)),
  }
}

function indexesOf(bits: number, offset: number): number[] {
  const indexes: number[] = []
  for (let rest = bits; rest !== 0; rest &= rest - 1) indexes.push(offset + (31 - Math.clz32(rest & -rest)))
  return indexes
}

const countBits = (bits: number): number => indexesOf(bits, 0).length
