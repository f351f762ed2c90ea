import { plainText } from './steady-text.ts'

/** Returns the message of the innermost error, up to its first frame. */
export function causeOf(text: string): string {
  const [, cause] = /\n {2}cause: ([\s\S]*)/.exec(text) ?? []
  const whole = plainText(cause ?? text).trim()
  const inline = /cause: '((?:[^'\\]|\\.)*)'/.exec(text)?.[1]
  if (cause === undefined && inline !== undefined) return exitNote(text, inline)
  const [message = ''] = whole.split(/\n\s+at |\s\{\n/)
  const own = message.replace(/^'([\s\S]*)'[,\n\s}]*$/, '$1')
  // What was thrown may have no frames; the brace behind it closes the error around it.
  return cause !== undefined && own === whole ? own.replace(/\n\}$/, '') : own
}

/** A file that failed as a whole says only that; its exit code says a little more. */
function exitNote(text: string, message: string): string {
  const [, code] = /exitCode: (\d+)/.exec(text) ?? []
  const [, signal] = /signal: '(\w+)'/.exec(text) ?? []
  if (signal !== undefined) return `${message}: its process was ended by ${signal}`
  return code === undefined ? message : `${message}: its process ended with exit code ${code}`
}

/** Returns the places of a stack, innermost first. */
export const placesIn = (text: string) =>
  [...text.matchAll(/(?:\(|at )((?:file:\/\/)?\/[^\n]*?):(\d+):\d+\)?$/gm)].map(([, path = '', line]) => ({
    path,
    line: Number(line),
  }))
