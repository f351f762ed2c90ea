/** A source of numbers in [0, 1). */
export type Random = () => number

/** What `seededRandom` has made of the beginning of a label. Never changed, so that any number of labels go on from it. */
export interface LabelStart {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

// As V8 holds all later ones: 32 bits with a sign.
const noLabel: LabelStart = { a: 1779033703, b: 3144134277 | 0, c: 1013904242, d: 2773480762 | 0 }

/** The beginning that labels share, so that only what differs is read anew: `from`, then `text`. */
export function startLabel(text: string, from: LabelStart = noLabel): LabelStart {
  let { a, b, c, d } = from
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  return { a, b, c, d }
}

/**
 * A seeded generator: the same label gives the same numbers on every machine and Node version; one in two parts, `from` and
 * `label`, the same as the whole. cyrb128 (bryc, public domain) spreads the label over the state of sfc32 (Chris
 * Doty-Humphrey, PractRand).
 */
export function seededRandom(label: string, from?: LabelStart): Random {
  let { a, b, c, d } = startLabel(label, from)
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    c |= 0
    return (t >>> 0) / 4294967296
  }
  // The first outputs still resemble the seed for short labels.
  for (let i = 0; i < 4; i++) next()
  return next
}

/** A shuffled copy (Fisher-Yates). */
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

/** One standard normal number (Box-Muller). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
