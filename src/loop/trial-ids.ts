/** Trial ids that were seen, without keeping the texts: a run may have millions. */
export interface TrialIds {
  /** False when it was there before. */
  add(id: string): boolean
}

const wordsPerId = 3
const first = 1 << 10

/** A set without an id: a hash table of 96-bit numbers, 12 bytes a place, at most half full. */
export function createTrialIds(): TrialIds {
  let places = first
  let words = new Uint32Array(places * wordsPerId)
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
    words = new Uint32Array(places * wordsPerId)
    for (let at = 0; at < before.length; at += wordsPerId) {
      const [a = 0, b = 0, c = 0] = before.subarray(at, at + wordsPerId)
      if (a !== 0 || b !== 0 || c !== 0) put(a, b, c)
    }
  }
  const word = (id: string, index: number) => Number.parseInt(id.slice(8 * index, 8 * index + 8), 16)

  return {
    add(id) {
      // All zeros mark an empty place.
      if (!/^[0-9a-f]{24}$/.test(id) || /^0+$/.test(id)) {
        if (others.has(id)) return false
        others.add(id)
        return true
      }
      const isNew = put(word(id, 0), word(id, 1), word(id, 2))
      if (isNew && ++count > places / 2) grow()
      return isNew
    },
  }
}
