import { areHex, wordAt } from './hex.ts'

/** Trial ids that were seen, without keeping the texts: a run may have millions. */
export interface TrialIds {
  /** False when it was there before. */
  add(id: string): boolean
  /** The same of one whose text stands there, in as many bytes as it has characters if it is one of this harness's. */
  addAt(bytes: Uint8Array, at: number, id: string): boolean
}

const digits = 24
const wordsPerId = 3
const first = 1 << 10

/** A set without an id: a hash table of 96-bit numbers, 12 bytes a place, at most half full. */
export function createTrialIds(): TrialIds {
  let places = first
  let words = new Int32Array(places * wordsPerId)
  let count = 0
  // What is no id of this harness's, as in files that a person changed.
  const others = new Set<string>()

  const put = (a: number, b: number, c: number): boolean => {
    // Ids are hashes themselves.
    for (let place = a & (places - 1); ; place = (place + 1) & (places - 1)) {
      const at = place * wordsPerId
      const [x, y, z] = [words[at], words[at + 1], words[at + 2]]
      if (x === a && y === b && z === c) return false
      if (x === 0 && y === 0 && z === 0) {
        words[at] = a
        words[at + 1] = b
        words[at + 2] = c
        return true
      }
    }
  }
  const grow = () => {
    const before = words
    places *= 2
    words = new Int32Array(places * wordsPerId)
    for (let at = 0; at < before.length; at += wordsPerId) {
      const [a, b, c] = [before[at] as number, before[at + 1] as number, before[at + 2] as number]
      if (a !== 0 || b !== 0 || c !== 0) put(a, b, c)
    }
  }

  const addAt = (bytes: Uint8Array, at: number, id: string): boolean => {
    if (id.length === digits && areHex(bytes, at, digits)) {
      const [a, b, c] = [wordAt(bytes, at), wordAt(bytes, at + 8), wordAt(bytes, at + 16)]
      // All zeros mark an empty place.
      if ((a | b | c) !== 0) {
        const isNew = put(a, b, c)
        if (isNew && ++count > places / 2) grow()
        return isNew
      }
    }
    if (others.has(id)) return false
    others.add(id)
    return true
  }

  return { add: (id) => addAt(Buffer.from(id), 0, id), addAt }
}
