import { displayWidth } from '../../text/display-width.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { terminalWidth } from './terminal-width.ts'

/** Writes a message to stderr, on a terminal in lines that fit; a path or a command that is longer than a line stays whole. */
export function say(text: string): void {
  const isLog = !process.stderr.isTTY && process.env.COLUMNS === undefined
  process.stderr.write(`${isLog ? text : fitLines(text, terminalWidth(process.stderr))}\n`)
}

const fitLines = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) =>
      displayWidth(line) <= width || line.split(' ').some((word) => displayWidth(word) > width)
        ? [line]
        : wrapWords(line, width),
    )
    .join('\n')
