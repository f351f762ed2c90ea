import { createInterface, type Interface } from 'node:readline'

/** How long lines of one paste are apart at most; ms. */
const pasteMs = 50

/** Lines that a person types at the terminal. All methods reject when the signal aborts. */
interface TypedLines {
  /** Returns a line, with all that were pasted together with it; undefined after the end of the input. */
  next(signal: AbortSignal): Promise<string | undefined>
  /** Forgets what was typed so far, so that it answers no question that nobody has seen. */
  drop(signal: AbortSignal): Promise<void>
  close(): void
}

/** Reads lines of stdin when somebody wants them. The terminal itself edits the line and turns Ctrl-C into a signal. */
export function readTypedLines(): TypedLines {
  const input: Input = { typed: [], ended: false, wake: () => {} }
  let terminal: Interface | undefined
  const reading = async <Value>(read: () => Promise<Value>): Promise<Value> => {
    terminal ??= openTerminal(input)
    // A paused terminal does not keep the process alive, so that trials which wait for nothing are noticed.
    if (!input.ended) terminal.resume()
    try {
      return await read()
    } finally {
      if (!input.ended) terminal.pause()
    }
  }
  return {
    next: (signal) =>
      reading(async () => {
        while (input.typed.length === 0 && !input.ended) await untilInput(input, signal)
        if (input.typed.length === 0) return undefined
        await untilQuiet(input, signal)
        return input.typed.splice(0).join('\n')
      }),
    drop: (signal) =>
      reading(async () => {
        await untilQuiet(input, signal)
        input.typed.length = 0
      }),
    close: () => terminal?.close(),
  }
}

interface Input {
  typed: string[]
  ended: boolean
  /** Called after each line, and at the end. */
  wake(): void
}

function openTerminal(input: Input): Interface {
  const opened = createInterface({ input: process.stdin, terminal: false })
  opened.on('line', (line) => {
    input.typed.push(line)
    input.wake()
  })
  opened.on('close', () => {
    input.ended = true
    input.wake()
  })
  return opened
}

async function untilInput(input: Input, signal: AbortSignal, ms?: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  await new Promise<void>((resolve) => {
    input.wake = resolve
    onAbort = resolve
    if (ms !== undefined) timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  signal.throwIfAborted()
}

async function untilQuiet(input: Input, signal: AbortSignal): Promise<void> {
  for (let count = -1; count < input.typed.length && !input.ended; ) {
    count = input.typed.length
    await untilInput(input, signal, pasteMs)
  }
}
