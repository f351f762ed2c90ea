/*
 * What the thread that watches the main one must know of it (`block-watch.ts`). It stands in memory that both see, since a main
 * thread that is blocked sends no messages.
 */

/** Places of numbers: beats of the main thread, whether anybody is watched, signals that it has handled, when to end it, lengths of the texts. */
export const places = {
  beats: 0,
  watched: 1,
  handled: 2,
  endAfterMs: 3,
  whoLength: 4,
  goOnLength: 5,
} as const

const textBytes = 4096

/** Numbers by their places. */
export const control = new Int32Array(new SharedArrayBuffer(4 * Object.keys(places).length))
/** Two texts of equal room: whose code is at work, and what to type after the process has been ended. */
export const texts = new Uint8Array(new SharedArrayBuffer(2 * textBytes))

const never = -1
Atomics.store(control, places.endAfterMs, never)

/** What the command that runs code of the user's makes of a block. */
interface BlockPolicy {
  /** The command hears signals itself, so that the process does not end by them. */
  hearsSignals: boolean
  /** Ends the process at once. */
  end(code: number): void
  /** Takes secrets out of what is told. */
  clean(text: string): string
}

/** That of a program that has bench as a library: it is told of a block, and not ended. */
export const blockPolicy: BlockPolicy = {
  hearsSignals: false,
  end: (code) => process.exit(code),
  clean: (text) => text,
}

/** Ends the process when it has been blocked for so long after that was told; Infinity: never, as where nobody says. */
export function endBlockedAfter(ms: number): void {
  Atomics.store(control, places.endAfterMs, ms > 2 ** 31 - 1 ? never : ms)
}

/** Counts a signal that the main thread has heard. */
export function countSignal(): void {
  Atomics.add(control, places.handled, 1)
}

/** What to type when the process has been ended. */
export function tellGoOn(text: string): void {
  store(text, textBytes, places.goOnLength)
}

/** Whose code is at work, for a block that lets nobody look. */
export function tellAtWork(who: string): void {
  if (Atomics.load(control, places.watched) === 0) return
  store(who, 0, places.whoLength)
  // Who begins something new is not blocked.
  Atomics.add(control, places.beats, 1)
}

const encoder = new TextEncoder()

function store(text: string, from: number, lengthAt: number): void {
  const { written } = encoder.encodeInto(blockPolicy.clean(text), texts.subarray(from, from + textBytes))
  Atomics.store(control, lengthAt, written)
}

/** Ends the watch of the main thread; who begins one puts its end here. */
export const watch: { stop: (() => void) | undefined } = { stop: undefined }

let holders = 0

/** Lets the watch last, once it has begun, until the function that this gives is called, and all others that it gave. */
export function holdWatch(): () => void {
  holders++
  return () => {
    holders--
    if (holders === 0) watch.stop?.()
  }
}

/** Names whose code runs at this moment; undefined where it is nobody's that it knows of. */
type Namer = () => string | undefined

const namers: Namer[] = []

/** Adds a namer; the latest is asked first. */
export function nameBlocks(namer: Namer): void {
  namers.unshift(namer)
}

/** Whose code runs at this moment. */
export function whoIsAtWork(): string | undefined {
  for (const namer of namers) {
    const name = namer()
    if (name !== undefined) return name
  }
  return undefined
}
