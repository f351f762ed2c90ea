/** Returns seeded choices: the same seed gives the same texts on every machine (mulberry32, public domain). */
export function seededChoices(seed) {
  let state = [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  )
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (low, high) => low + Math.floor(next() * (high - low + 1))
  const pick = (list) => list[int(0, list.length - 1)]
  const shuffle = (list) => {
    const copy = [...list]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = int(0, i)
      ;[copy[i], copy[j]] = [copy[j], copy[i]]
    }
    return copy
  }
  return {
    int,
    pick,
    shuffle,
    some: (list, count) => shuffle(list).slice(0, count),
    chance: (p) => next() < p,
  }
}
