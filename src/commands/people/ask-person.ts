import type { AskPerson } from '../../loop/state/approvals.ts'
import { safeText } from '../../reports/words/safe-text.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import type { WaitsLine } from '../../schema/run/people.ts'
import { shellWord } from '../../text/shell-word.ts'
import { answerFix, answerProblem, parseAnswer } from './parse-answer.ts'
import { askingTrial, questionText } from './question-text.ts'
import { readTypedLines } from './typed-lines.ts'

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
    else if (line.trim() !== '') say(`${safeText(answerProblem(line) ?? '')}. ${answerFix}\n`)
  }
}

/** Most bytes of a line that a terminal of Linux hands on. */
const longestLine = 4095

const isCut = (text: string) => text.split('\n').some((line) => Buffer.byteLength(line) >= longestLine)

const cutText = ({ trial }: WaitsLine, folder: string) =>
  `The answer was not taken: the terminal cuts a line after 4,095 bytes. Write shorter lines, or press Ctrl-D and use: ` +
  `bench approve ${shellWord(folder)} ${trial.slice(0, 12)} "$(cat FILE)"`
