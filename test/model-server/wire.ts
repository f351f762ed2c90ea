import type { Answer, ModelRequest, Usage } from './script.ts'

/** The content of a reply. */
export interface Said {
  request: ModelRequest
  answer: Answer
  /** Undefined: the reply reports no usage. */
  usage: Usage | undefined
}

/** One vendor's way to ask a model over HTTP. */
export interface Wire {
  name: string
  /** Whether a POST to this path asks the model. */
  asks(path: string): boolean
  read(body: Body, url: URL): Omit<ModelRequest, 'number' | 'body'>
  /** The reply in one piece. */
  whole(said: Said): unknown
  /** The reply as a stream, one frame each, line ends included. */
  frames(said: Said): Iterable<string>
  contentType(url: URL): string
  error(status: number, message: string, code: string | undefined): unknown
  /** An error in the middle of a stream. */
  errorFrame(status: number, message: string): string
  /** A frame with any data. */
  dataFrame(data: Body): string
  /** A frame that no client can read. */
  malformed: string
  /** Answers other requests of this vendor's clients; undefined for unknown ones. */
  aside?(method: string, path: string, body: Body): unknown
}

/** A JSON object as it came. */
export type Body = Readonly<Record<string, unknown>>

/** A server-sent event. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** An event that is named in its own data, too. */
export const typed = (data: Body): string => event(data, String(data.type))

/** The list in a field, empty where there is none. */
export const list = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : [])

/** All text in a message's content, however deep: a text, parts, tool results. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('')
  if (typeof content !== 'object' || content === null) return ''
  const { text, content: inner, output, response } = content as Body
  if (typeof text === 'string') return text
  if (response !== undefined) return JSON.stringify(response)
  return textOf(inner ?? output)
}
