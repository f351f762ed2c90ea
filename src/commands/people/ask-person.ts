import { createInterface } from 'node:readline'
import type { AskPerson } from '../../loop/state/approvals.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import type { WaitsLine } from '../../schema/run/people.ts'
import { shellWord } from '../../text/shell-word.ts'
import { parseAnswer } from './parse-answer.ts'
import { askingTrial, questionText } from './question-text.ts'

/** A person at the terminal. */
export interface Person {
  ask: AskPerson
  close(): void
}

/** Whether a person can be asked: stdin and stderr are terminals. */
export const isPersonThere = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/**
 * Asks a person at the terminal, one question at a time. `hold` keeps other output off the screen meanwhile, and returns the
 * function that lets it through again. `folder` returns the run folder.
 */
export function openPerson(hold: () => () => void, folder: () => string): Person {
  const lines = readTypedLines()
  let last: Promise<unknown> = Promise.resolve()
  const askNow = async (question: WaitsLine, signal: AbortSignal) => {
    signal.throwIfAborted()
    const release = hold()
    try {
      await lines.drop(signal)
      return await dialogue(question, folder(), () => lines.next(signal))
    } finally {
      release()
    }
  }
  return {
    ask(question, signal) {
      const answer = last.then(() => askNow(question, signal))
      last = answer.catch(() => {})
      return answer
    },
    close: lines.close,
  }
}

async function dialogue(
  question: WaitsLine,
  folder: string,
  next: () => Promise<string | undefined>,
): Promise<ApprovalAnswer | undefined> {
  const say = (text: string) => void process.stderr.write(text)
  say(`\nTrial ${askingTrial(question)} asks:\n\n${questionText(question, folder)}\n`)
  for (;;) {
    say('Answer yes, abort, or what should change: ')
    const line = await next()
    if (line === undefined) {
      say('\nno answer: the trial waits\n')
      return undefined
    }
    const answer = parseAnswer(line)
    if (isCut(line)) say(`${cutText(question, folder)}\n`)
    else if (answer) return answer
  }
}

/** Most bytes of a line that a terminal of Linux hands on. */
const longestLine = 4095

const isCut = (text: string) => text.split('\n').some((line) => Buffer.byteLength(line) >= longestLine)

const cutText = ({ trial }: WaitsLine, folder: string) =>
  `The answer was not taken: the terminal cuts a line after 4,095 bytes. Write shorter lines, or press Ctrl-D and use: ` +
  `bench approve ${shellWord(folder)} ${trial.slice(0, 12)} "$(cat FILE)"`

/** How long lines of one paste are apart at most; ms. */
const pasteMs = 50

/**
 * Reads lines of stdin when somebody wants them. The terminal itself edits the line and turns Ctrl-C into a signal. `next` returns
 * a line, with all that were pasted together with it, and undefined after the end of the input. `drop` forgets what was typed so
 * far, so that it answers no question that nobody has seen. Both reject when the signal aborts.
 */
function readTypedLines() {
  const typed: string[] = []
  let terminal: ReturnType<typeof createInterface> | undefined
  let ended = false
  let wake = () => {}
  const open = () => {
    const opened = createInterface({ input: process.stdin, terminal: false })
    opened.on('line', (line) => {
      typed.push(line)
      wake()
    })
    opened.on('close', () => {
      ended = true
      wake()
    })
    return opened
  }
  /** Waits for a line, the end or the signal, or at most so long. */
  const wait = async (signal: AbortSignal, ms?: number) => {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      if (ms !== undefined) timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', wake, { once: true })
    })
    clearTimeout(timer)
    signal.removeEventListener('abort', wake)
    signal.throwIfAborted()
  }
  const untilQuiet = async (signal: AbortSignal) => {
    for (let count = -1; count < typed.length && !ended; ) {
      count = typed.length
      await wait(signal, pasteMs)
    }
  }
  const reading = async <Value>(read: () => Promise<Value>): Promise<Value> => {
    terminal ??= open()
    // A paused terminal does not keep the process alive, so that trials which wait for nothing are noticed.
    if (!ended) terminal.resume()
    try {
      return await read()
    } finally {
      if (!ended) terminal.pause()
    }
  }
  return {
    drop: (signal: AbortSignal) =>
      reading(async () => {
        await untilQuiet(signal)
        typed.length = 0
      }),
    next: (signal: AbortSignal): Promise<string | undefined> =>
      reading(async () => {
        while (typed.length === 0 && !ended) await wait(signal)
        if (typed.length === 0) return undefined
        await untilQuiet(signal)
        return typed.splice(0).join('\n')
      }),
    close: () => terminal?.close(),
  }
}
