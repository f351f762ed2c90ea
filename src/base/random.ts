/** A source of numbers in [0, 1). */
export type Random = () => number

/**
 * Creates a seeded generator: the same label gives the same numbers on every machine and Node version. cyrb128 (bryc, public
 * domain) hashes the label into the state of sfc32 (Chris Doty-Humphrey, PractRand).
 */
export function seededRandom(label: string): Random {
  let [a, b, c, d] = spread(label)
  const next = () => {
    const bits = (a + b + d) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + bits) | 0
    d = (d + 1) | 0
    return (bits >>> 0) / 2 ** 32
  }
  // The first outputs still resemble the seed for short labels.
  for (let i = 0; i < 4; i++) next()
  return next
}

function spread(label: string): [number, number, number, number] {
  const [p, q, r, s] = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93]
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i)
    a = b ^ Math.imul(a ^ code, p)
    b = c ^ Math.imul(b ^ code, q)
    c = d ^ Math.imul(c ^ code, r)
    d = a ^ Math.imul(d ^ code, s)
  }
  a = Math.imul(c ^ (a >>> 18), p)
  b = Math.imul(d ^ (b >>> 22), q)
  c = Math.imul(a ^ (c >>> 17), r)
  d = Math.imul(b ^ (d >>> 19), s)
  return [a, b, c, d]
}

/** Returns a shuffled copy (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = result[i] as T
    result[i] = result[j] as T
    result[j] = held
  }
  return result
}

/** Returns one standard normal number (Box-Muller). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
