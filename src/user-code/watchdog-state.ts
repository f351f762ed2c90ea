/*
 * The state that the main thread shares with the watchdog thread (`watchdog.ts`). It is in shared memory, since a blocked main
 * thread sends no messages.
 */

/** Indexes into `sharedNumbers`: heartbeats, whether a watchdog runs, handled signals, the timeout of a block (ms), lengths of the texts (bytes). */
export const slots = {
  heartbeats: 0,
  isWatched: 1,
  handledSignals: 2,
  endAfterMs: 3,
  codeNameLength: 4,
  resumeHintLength: 5,
} as const

const sharedTextBytes = 4096

/** Numbers by `slots`. */
export const sharedNumbers = new Int32Array(new SharedArrayBuffer(4 * Object.keys(slots).length))
/** Two texts of equal capacity: the name of the running code, and the command to type after the process has been ended. */
export const sharedTexts = new Uint8Array(new SharedArrayBuffer(2 * sharedTextBytes))

const never = -1
Atomics.store(sharedNumbers, slots.endAfterMs, never)

interface BlockPolicy {
  /** The command has signal handlers, so signals do not end the process. */
  handlesSignals: boolean
  /** Ends the process immediately. */
  end(code: number): void
  /** Removes secrets from a printed text. */
  redact(text: string): string
}

/** The default is for a program that uses bench as a library: a block is reported and the process goes on. */
export const blockPolicy: BlockPolicy = {
  handlesSignals: false,
  end: (code) => process.exit(code),
  redact: (text) => text,
}

/** Sets how long a block may last after its report before the process is ended; ms. Infinity, the default: for ever. */
export function setBlockTimeout(ms: number): void {
  Atomics.store(sharedNumbers, slots.endAfterMs, ms > 2 ** 31 - 1 ? never : ms)
}

/** Counts a signal that the main thread has handled. */
export function countSignal(): void {
  Atomics.add(sharedNumbers, slots.handledSignals, 1)
}

/** Sets the hint that is printed when the process is ended, such as the command that resumes the run. */
export function setResumeHint(text: string): void {
  store(text, sharedTextBytes, slots.resumeHintLength)
}

/** Sets the name of the user's code that runs now, for a block during which the main thread cannot be inspected. */
export function setRunningCode(name: string): void {
  if (Atomics.load(sharedNumbers, slots.isWatched) === 0) return
  store(name, 0, slots.codeNameLength)
  // A thread that starts new code is not blocked.
  Atomics.add(sharedNumbers, slots.heartbeats, 1)
}

const encoder = new TextEncoder()

function store(text: string, from: number, lengthAt: number): void {
  const { written } = encoder.encodeInto(
    blockPolicy.redact(text),
    sharedTexts.subarray(from, from + sharedTextBytes),
  )
  Atomics.store(sharedNumbers, lengthAt, written)
}

/** The watchdog that runs now; `stop` is undefined while there is none. */
export const activeWatchdog: { stop: (() => void) | undefined } = { stop: undefined }

let holders = 0

/** Keeps a started watchdog running until every function that this has returned is called. */
export function acquireWatchdog(): () => void {
  holders++
  return () => {
    holders--
    if (holders === 0) activeWatchdog.stop?.()
  }
}

/** Returns the name of the user's code that runs now, or undefined if it knows of none. */
type CodeNamer = () => string | undefined

const namers: CodeNamer[] = []

/** Adds a namer; the latest is asked first. */
export function addCodeNamer(namer: CodeNamer): void {
  namers.unshift(namer)
}

/** Returns the name of the user's code that runs now; undefined if there is none. */
export function findRunningCode(): string | undefined {
  for (const namer of namers) {
    const name = namer()
    if (name !== undefined) return name
  }
  return undefined
}
