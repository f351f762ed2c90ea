import type { JunitCase } from './junit-xml.ts'
import { relativePath } from './output-text.ts'
import { plainText } from './steady-text.ts'

/** A failure in the list at the end of what Node prints. */
export interface Listed {
  /** The name with what stands behind it: a duration, and a mark of a test that is still to be done. */
  title: string
  name: string
  isTodo: boolean
  file: string
  line: number
  text: string
}

/** Reads the list that stands behind the counts. What a test printed, such as such a list, comes before them. */
export function listedFailures(output: string, workspace: string): Listed[] {
  const end =
    plainText(output)
      .split(/^ℹ duration_ms .*\n/m)
      .at(-1) ?? ''
  const list =
    end
      .split(/^✖ failing tests:\n/m)
      .slice(1)
      .at(-1) ?? ''
  return list.split(/^(?=test at .+:\d+:\d+\n)/m).flatMap((part) => {
    const [, path = '', line, entry] = /^test at (.+):(\d+):\d+\n✖ ([\s\S]*)/.exec(part) ?? []
    if (entry === undefined) return []
    const { title, text } = splitEntry(entry)
    const [, name = title, mark = ''] = /^([\s\S]*) \([\d.]+ms\)( #.*)?$/.exec(title) ?? []
    return [
      { title, name, isTodo: mark !== '', file: relativePath(path, workspace), line: Number(line), text },
    ]
  })
}

/** A title may have line breaks, and ends with a duration; that of a test that never ran has none, and a quoted message. */
function splitEntry(entry: string): { title: string; text: string } {
  const [first = '', ...rest] = entry.split('\n')
  const own = rest.findIndex((line) => line.startsWith("  '"))
  const lines = [first, ...rest.slice(0, own < 0 ? rest.length : own)]
  const last = lines.findIndex((line) => /\([\d.]+ms\)(?: #.*)?$/.test(line))
  const title = last < 0 ? [first] : lines.slice(0, last + 1)
  return { title: title.join('\n'), text: [first, ...rest].slice(title.length).join('\n') }
}

/**
 * Finds each case in the list. Both have the order of the run, and cases of several files may have one name, so what agrees in its
 * frames is taken first, then what agrees in its message, then what has the name alone.
 */
export function matchListed(
  cases: readonly JunitCase[],
  listed: readonly Listed[],
): { found: ReadonlyMap<JunitCase, Listed>; left: readonly Listed[] } {
  const found = new Map<JunitCase, Listed>()
  const left = [...listed]
  // Not all versions mark a test that is still to be done.
  const inOrder = [...cases].sort((a, b) => Number(a.isTodo) - Number(b.isTodo))
  for (const agree of [sameFrames, sameMessage, () => true])
    for (const one of inOrder.filter((other) => !found.has(other))) {
      const at = left.findIndex((other) => hasName(other, one) && agree(textOf(one), other.text))
      const [match] = at < 0 ? [] : left.splice(at, 1)
      if (match) found.set(one, match)
    }
  return { found, left }
}

const textOf = ({ problems }: JunitCase) => problems[0]?.text ?? ''
const sameMessage = (one: string, other: string) => squeeze(causeOf(one)) === squeeze(causeOf(other))
const sameFrames = (one: string, other: string) => {
  const frames = framesOf(one)
  return frames !== '' && frames === framesOf(other) && sameMessage(one, other)
}

function framesOf(text: string): string {
  const [, cause = text] = /\n {2}cause: ([\s\S]*)/.exec(text) ?? []
  return placesIn(cause)
    .map(({ path, line }) => `${path}:${line}`)
    .join('\n')
}

/** A name may itself end as titles do. */
function hasName({ title }: Listed, { name, isTodo }: JunitCase): boolean {
  const [whole, start] = [squeeze(title), squeeze(unquote(name))]
  const rest = whole.slice(start.length)
  return whole.startsWith(start) && (isTodo ? /^\([\d.]+ms\)(?:#.*)?$/ : /^(?:\([\d.]+ms\))?$/).test(rest)
}

/** Node writes `&quot;` before it writes `&` as an entity, so that two are left. */
export const unquote = (text: string) => text.replaceAll('&quot;', '"')

/** A line break in a name is lost in one of the two. */
export const sameName = (one: string, other: string) => squeeze(one) === squeeze(other)
const squeeze = (text: string) => text.replace(/\s+/g, '')

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
