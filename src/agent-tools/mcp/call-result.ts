import type { ToolResult } from '../definitions.ts'
import type { CallAnswer, CallEnd } from './session.ts'

/** How a call of a server's tool ended. */
export type Called =
  | Exclude<CallEnd, { kind: 'timeout' | 'closed' }>
  /** The server was lost during the call. */
  | { kind: 'timeout' | 'closed'; why: string; mayCallAgain: boolean }
  /** The server was lost before, so the call was not made. */
  | { kind: 'lost'; why: string }
  | { kind: 'unknown' }

interface CallText {
  /** The name by which the model called the tool. */
  name: string
  maxBytes: number
}

/** JSON-RPC's error code of arguments that a method does not take. */
const invalidParams = -32602

/** Returns what the model gets of a call: its result, or an error that it can act on. */
export function callResult(
  called: Called,
  { name, maxBytes }: CallText,
): Pick<ToolResult, 'outcome' | 'text'> {
  switch (called.kind) {
    case 'answer':
      return { outcome: called.result.isError ? 'failed' : 'ok', text: resultText(called.result) }
    case 'refused': {
      const said = cutText(called.message)
      return called.code === invalidParams
        ? { outcome: 'invalid', text: `The server refused the arguments of ${name}: ${said}` }
        : { outcome: 'failed', text: `The server refused the call of ${name}: ${said}` }
    }
    case 'no-answer':
      return { outcome: 'broken', text: `The server answered ${name} with something that is no tool result.` }
    case 'too-large': {
      const text = `The answer of ${name} has more than ${maxBytes} bytes, the most that is taken. Ask for less at once.`
      return { outcome: 'too-large', text }
    }
    case 'timeout':
    case 'closed': {
      const next = called.mayCallAgain
        ? 'It is started again for your next call.'
        : 'Its tools cannot be called any more. Go on without them.'
      const outcome = called.kind === 'timeout' ? 'timeout' : 'broken'
      return { outcome, text: `During the call of ${name} the server ${called.why}. ${next}` }
    }
    case 'lost': {
      const text = `${name} cannot be called: its server ${called.why}. Go on without it.`
      return { outcome: 'broken', text }
    }
    case 'unknown':
      return { outcome: 'denied', text: `${name} is no tool that may be called here.` }
  }
}

/** The most characters of a result that a model gets. */
export const mostResultCharacters = 60_000

/** Returns what a model gets of a tool's answer: its texts, and a note for each part that is no text. */
export function resultText({ content = [], structuredContent }: CallAnswer): string {
  const parts = content.map(partText)
  const hasText = content.some((part) => typeof fieldsOf(part).text === 'string')
  // Servers repeat structured content as a text, so that clients that do not know it have it.
  if (structuredContent !== undefined && !hasText) parts.push(JSON.stringify(structuredContent))
  return cutText(parts.join('\n') || '[The tool gave no content.]')
}

/** Cuts a text that is longer than a model should get, and says so. Halves of surrogate pairs become `\uFFFD`. */
function cutText(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd')
  if (whole.length <= mostResultCharacters) return whole
  const start = whole.slice(0, mostResultCharacters).replace(/[\ud800-\udbff]$/, '')
  return `${start}\n[Cut: the result has ${whole.length} characters. These are the first ${mostResultCharacters}.]`
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (part: unknown): Fields =>
  typeof part === 'object' && part !== null ? (part as Fields) : {}

function partText(part: unknown): string {
  const { type, text, mimeType, data, resource, uri, name } = fieldsOf(part)
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'image' || type === 'audio') return notShown(type, mimeType, data)
  if (type === 'resource_link') return `[resource ${word(uri)}: ${word(name)}]`
  if (type === 'resource') {
    const inner = fieldsOf(resource)
    if (typeof inner.text === 'string') return `[resource ${word(inner.uri)}]\n${inner.text}`
    return notShown(`resource ${word(inner.uri)}`, inner.mimeType, inner.blob)
  }
  return `[content of the type ${word(type)}: not shown]`
}

function notShown(what: string, mimeType: unknown, base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.replace(/=+$/, '').length * 3) / 4) : 0
  return `[${what}, ${word(mimeType)}, ${bytes} bytes: not shown]`
}

const word = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : 'unknown')
