import { areHex, wordAt } from './hex.ts'
import type { LineBlock } from './lines.ts'

/** Trial ids that were seen, without keeping the texts: a run may have millions. */
export interface TrialIds {
  /** False when it was there before. */
  add(id: string): boolean
  /** The same of one whose text stands there, in as many bytes as it has characters if it is one of this harness's. */
  addAt(bytes: Uint8Array, at: number, id: string): boolean
  /**
   * Adds the ids of so many lines, each of which stands so far behind its line's beginning; `ends` are those of the lines. All
   * or none: false when one of them was there before, or is none of this harness's.
   */
  addLines(lines: Pick<LineBlock, 'bytes' | 'ends' | 'count'>, behind: number): boolean
  /** Takes back the last so many of those that the last `addLines` added, before any other is added. */
  takeBack(count: number): void
}

const quote = 0x22
const digits = 24
const wordsPerId = 3
const first = 1 << 10

/** A set without an id, with room for about so many: a hash table of 96-bit numbers, 12 bytes a place, at most half full. */
export function createTrialIds(expected = 0): TrialIds {
  let places = first
  while (places < 2 * expected) places *= 2
  let words = new Int32Array(places * wordsPerId)
  let count = 0
  // What is no id of this harness's, as in files that a person changed.
  const others = new Set<string>()
  // Ids of lines that are to be added together, and where each was put.
  let batch = new Int32Array(0)
  let puts = new Int32Array(0)
  let batched = 0

  /** Where it was put, as the place of its first word; -1: it was there before. */
  const put = (a: number, b: number, c: number): number => {
    // Ids are hashes themselves.
    for (let place = a & (places - 1); ; place = (place + 1) & (places - 1)) {
      const at = place * wordsPerId
      const x = words[at]
      const y = words[at + 1]
      const z = words[at + 2]
      if (x === a && y === b && z === c) return -1
      if (x === 0 && y === 0 && z === 0) {
        words[at] = a
        words[at + 1] = b
        words[at + 2] = c
        return at
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
        const isNew = put(a, b, c) >= 0
        if (isNew && ++count > places / 2) grow()
        return isNew
      }
    }
    if (others.has(id)) return false
    others.add(id)
    return true
  }

  const addLines: TrialIds['addLines'] = ({ bytes, ends, count: lines }, behind) => {
    if (puts.length < lines) {
      puts = new Int32Array(2 * lines)
      batch = new Int32Array(2 * lines * wordsPerId)
    }
    batched = 0
    let start = 0
    for (let line = 0; line < lines; line++) {
      const at = start + behind
      const end = ends[line] as number
      if (at + digits >= end || bytes[at + digits] !== quote || !areHex(bytes, at, digits)) return false
      batch[line * wordsPerId] = wordAt(bytes, at)
      batch[line * wordsPerId + 1] = wordAt(bytes, at + 8)
      batch[line * wordsPerId + 2] = wordAt(bytes, at + 16)
      start = end + 1
    }
    while (count + lines > places / 2) grow()
    // Memory is waited for once for many of them, not once for each: nothing here depends on what is read.
    for (let line = 0; line < lines; line++)
      puts[line] = words[((batch[line * wordsPerId] as number) & (places - 1)) * wordsPerId] as number
    for (; batched < lines; batched++) {
      const at = batched * wordsPerId
      const a = batch[at] as number
      const b = batch[at + 1] as number
      const c = batch[at + 2] as number
      const to = (a | b | c) === 0 ? -1 : put(a, b, c)
      if (to < 0) {
        takeBack(batched)
        return false
      }
      puts[batched] = to
      count++
    }
    return true
  }
  // In reverse order, so that each was the last on its way: the table is as it was before.
  const takeBack = (number: number) => {
    for (let left = number; left > 0; left--) {
      const at = puts[--batched] as number
      words.fill(0, at, at + wordsPerId)
    }
    count -= number
  }

  return { add: (id) => addAt(Buffer.from(id), 0, id), addAt, addLines, takeBack }
}
