import { createInterface } from 'node:readline/promises'
import { safeLine } from '../../reports/words/safe-text.ts'
import { tooManyOpenFiles } from '../../sandbox/machine/open-files.ts'
import { displayWidth } from '../../text/display-width.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { terminalWidth } from './terminal-width.ts'

/** Prints an error to stderr and returns the exit code. */
export function reportError(error: Error): number {
  if (error.name === 'UserError') {
    for (const line of error.message.split('\n')) process.stderr.write(`bench: ${line}\n`)
    return 2
  }
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    process.stderr.write(
      'bench: [working folder] does not exist any more. Change to an existing folder, and run bench again.\n',
    )
    return 2
  }
  if (error.name === 'StorageError') {
    process.stderr.write(`bench: ${error.message}\n`)
    return 1
  }
  const fault = tooManyOpenFiles(error)
  if (fault !== undefined) {
    process.stderr.write(`bench: ${fault} Resume a run with --resume.\n`)
    return 1
  }
  process.stderr.write(`Internal error: ${process.env.BENCH_DEBUG ? error.stack : error.message}\n`)
  process.stderr.write('Please report this. BENCH_DEBUG=1 shows where it happened.\n')
  return 1
}

/** Prints a note about the results to stderr; prints nothing for undefined. */
export function reportNote(note: string | undefined): void {
  if (note !== undefined) process.stderr.write(`note: ${safeLine(note)}\n`)
}

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
  const room = Math.max(width - indent, 1)
  return text
    .split('\n')
    .flatMap((line) => {
      if (fits(line) || line.split(' ').some((word) => displayWidth(word) > room)) return [line]
      const [first = '', ...rest] = wrapWords(line, room)
      return [first, ...rest.map((part) => `${' '.repeat(indent)}${part.trimStart()}`)]
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
