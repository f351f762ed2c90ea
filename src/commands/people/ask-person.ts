import { createInterface } from 'node:readline'
import type { AskPerson } from '../../loop/state/approvals.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import type { WaitsLine } from '../../schema/run/people.ts'
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
    if (answer) return answer
  }
}

/**
 * Reads lines of stdin when somebody wants one. The terminal itself edits the line and turns Ctrl-C into a signal. `next` returns
 * undefined after the end of the input, and rejects when the signal aborts.
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
  return {
    async next(signal: AbortSignal): Promise<string | undefined> {
      terminal ??= open()
      // A paused terminal does not keep the process alive, so that trials which wait for nothing are noticed.
      if (!ended) terminal.resume()
      try {
        while (typed.length === 0 && !ended) {
          await new Promise<void>((resolve) => {
            wake = resolve
            signal.addEventListener('abort', wake, { once: true })
          })
          signal.removeEventListener('abort', wake)
          signal.throwIfAborted()
        }
        return typed.shift()
      } finally {
        if (!ended) terminal.pause()
      }
    },
    close: () => terminal?.close(),
  }
}
