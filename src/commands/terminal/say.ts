import { createInterface } from 'node:readline/promises'
import { displayWidth } from '../../text/display-width.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { terminalWidth } from './terminal-width.ts'

/** Writes a message to stderr, on a terminal in lines that fit; a path or a command that is longer than a line stays whole. */
export function say(text: string): void {
  process.stderr.write(`${fitted(text, process.stderr)}\n`)
}

/** Writes a text to stdout, on a terminal in lines that fit; what does not fit goes on below, further to the right. */
export function print(text: string): void {
  process.stdout.write(fitted(text, process.stdout, 4))
}

type Stream = { isTTY?: boolean; columns?: number }

/** Fits lines to a terminal, or to COLUMNS. Other programs get whole lines. */
function fitted(text: string, stream: Stream, indent = 0): string {
  const isLog = !stream.isTTY && process.env.COLUMNS === undefined
  return isLog ? text : fitLines(text, terminalWidth(stream), indent)
}

function fitLines(text: string, width: number, indent: number): string {
  const fits = (line: string) => displayWidth(line) <= width
  return text
    .split('\n')
    .flatMap((line) => {
      const lead = /^ */.exec(line)?.[0] ?? ''
      const room = Math.max(width - lead.length - indent, 1)
      if (fits(line) || line.split(' ').some((word) => displayWidth(word) > room)) return [line]
      const [first = '', ...rest] = wrapWords(line.slice(lead.length), room)
      return [lead + first, ...rest.map((part) => `${lead}${' '.repeat(indent)}${part.trimStart()}`)]
    })
    .join('\n')
}

/** Asks a yes-or-no question at the terminal. Every answer but `y` or `yes` means no, also Ctrl-C. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `, { signal }).catch(() => '')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
