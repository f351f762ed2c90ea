// Math.random gives the same numbers in each process (mulberry32), so that equal solutions get equal scores.
let state = 1

const seeded = {
  random() {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  },
}

Math.random = seeded.random
