import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** The deepest nesting of a message. Deeper values end programs that walk them. */
const deepest = 100

/** What one line of a server holds: messages, or something else, as a text for people. `unread`: it may be an answer. */
type ParsedLine = { messages: JSONRPCMessage[] } | { stray: string; unread?: true }

/** Parses one line. An array is a batch, as in protocol 2025-03-26. An empty line holds no message. */
export function parseLine(line: Buffer): ParsedLine {
  // Some servers on Windows begin their output with a byte order mark.
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  if (text === '') return { messages: [] }
  if (isDeeper(text)) return { stray: `a message that is nested deeper than ${deepest} levels`, unread: true }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { stray: JSON.stringify(shownStart(text)) }
  }
  const all = Array.isArray(value) ? value : [value]
  return all.every(isMessage) ? { messages: all.map(completed) } : { stray: JSON.stringify(shownStart(text)) }
}

const shownStart = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text)

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === 'object' && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === '2.0'

/**
 * Says what is wrong with an answer, so that nothing waits for one that the client would drop: an error without the id of a request or in
 * a form of its own, as a text; or a result that is no object.
 */
export function checkAnswer(message: JSONRPCMessage): { failure?: string; isUnread?: true } {
  const { id, method, result, error } = message as Record<string, unknown>
  if (method !== undefined) return {}
  if (error === undefined) return typeof result === 'object' && result !== null ? {} : { isUnread: true }
  const { code, message: said } = (typeof error === 'object' ? error : {}) as Record<string, unknown>
  const isWhole = Number.isInteger(code) && typeof said === 'string'
  if (isWhole && id !== undefined && id !== null) return {}
  return { failure: typeof said === 'string' ? said : JSON.stringify(error) }
}

/** Returns a message with what servers leave out of their answer to `initialize`, and a client insists on. */
function completed(given: JSONRPCMessage): JSONRPCMessage {
  // Some servers write both fields of an answer, one of them null.
  const fields = Object.entries(given).filter(
    ([name, value]) => value !== null || (name !== 'error' && name !== 'result'),
  )
  const message = Object.fromEntries(fields) as JSONRPCMessage
  if (!('result' in message) || typeof message.result?.protocolVersion !== 'string') return message
  const { capabilities = {}, serverInfo, ...rest } = message.result
  const { name, version, ...info } = (serverInfo ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    ...message,
    result: { ...rest, capabilities, serverInfo: { ...info, name: text(name), version: text(version) } },
  }
}

/** Whether JSON text is nested too deep. It need not be valid. */
function isDeeper(text: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === backslash) at++
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === openBrace || code === openBracket) {
      if (++depth > deepest) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125]
