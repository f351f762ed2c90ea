/** A source of numbers in [0, 1). */
export type Random = () => number

/** What `seededRandom` has made of the beginning of a label. Never changed, so that any number of labels go on from it. */
export interface LabelStart {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

type Mutable<State> = { -readonly [Field in keyof State]: State[Field] }

// As V8 holds all later ones: 32 bits with a sign.
const noLabel: LabelStart = { a: 1779033703, b: 3144134277 | 0, c: 1013904242, d: 2773480762 | 0 }

/**
 * `Math.imul` with a constant given by its halves, so that each product is exact: V8's middle compiler calls that one as a function,
 * which took a fiftieth of a dry run.
 */
const times = (x: number, high: number, low: number) => (((x * high) << 16) + x * low) | 0

/** The beginning that labels share, so that only what differs is read anew: `from`, then `text`. */
export function startLabel(text: string, from: LabelStart = noLabel): LabelStart {
  let { a, b, c, d } = from
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = b ^ times(a ^ code, 0x239b, 0x961b)
    b = c ^ times(b ^ code, 0xab0e, 0x9789)
    c = d ^ times(c ^ code, 0x38b3, 0x4ae5)
    d = a ^ times(d ^ code, 0xa1e3, 0x8b93)
  }
  return { a, b, c, d }
}

/**
 * A seeded generator: the same label gives the same numbers on every machine and Node version; one in two parts, `from` and
 * `label`, the same as the whole. cyrb128 (bryc, public domain) spreads the label over the state of sfc32 (Chris
 * Doty-Humphrey, PractRand).
 */
export function seededRandom(label: string, from?: LabelStart): Random {
  // Nobody else has it.
  const state: Mutable<LabelStart> = startLabel(label, from)
  const a = times(state.c ^ (state.a >>> 18), 0x239b, 0x961b)
  const b = times(state.d ^ (state.b >>> 22), 0xab0e, 0x9789)
  state.a = a
  state.b = b
  state.c = times(a ^ (state.c >>> 17), 0x38b3, 0x4ae5)
  state.d = times(b ^ (state.d >>> 19), 0xa1e3, 0x8b93)
  // The first outputs still resemble the seed for short labels.
  for (let i = 0; i < 4; i++) step(state)
  return () => (step(state) >>> 0) / 4294967296
}

/** The next 32 bits. State in an object, not in variables that a function closes over: those V8 looks through at each use. */
function step(state: Mutable<LabelStart>): number {
  const { a, b, c, d } = state
  const bits = (((a + b) | 0) + d) | 0
  state.a = b ^ (b >>> 9)
  state.b = (c + (c << 3)) | 0
  state.c = (((c << 21) | (c >>> 11)) + bits) | 0
  state.d = (d + 1) | 0
  return bits
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
