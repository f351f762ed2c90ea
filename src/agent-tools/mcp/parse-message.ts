import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** The deepest nesting of a message. Deeper values end programs that walk them. */
const deepest = 100

/** What one line of a server holds: messages, and what else stands there, as a text for people. `unread`: it may be an answer. */
interface ParsedLine {
  messages: JSONRPCMessage[]
  stray?: string
  unread?: true
}

/**
 * Parses one line. An array is a batch, as in protocol 2025-03-26. An empty line holds no message. Beside other words, such as a banner
 * without a line end, answers count; a request or notification may be a log of what bench sent.
 */
export function parseLine(line: Buffer): ParsedLine {
  // Some servers on Windows begin their output with a byte order mark.
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  if (text === '') return { messages: [] }
  if (isDeeper(text))
    return { messages: [], stray: `a message that is nested deeper than ${deepest} levels`, unread: true }
  const whole = messagesOf(text)
  if (whole) return { messages: whole.map(completed) }
  const found = findMessages(text)
  const answers = found.rest === '' ? found.messages : found.messages.filter((one) => !('method' in one))
  const isWhole = found.rest === '' && answers.length > 0
  return { messages: answers.map(completed), ...(!isWhole && { stray: shownText(found.rest || text) }) }
}

/** Shows the beginning of a text for people. */
export const shownText = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)

function messagesOf(text: string): JSONRPCMessage[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const all = Array.isArray(value) ? value : [value]
    return all.every(isMessage) ? all : undefined
  } catch {
    return undefined
  }
}

/** The most places of a line at which a message is looked for in vain: each may cost the length of the line. */
const mostTried = 16

function findMessages(text: string): { messages: JSONRPCMessage[]; rest: string } {
  const messages: JSONRPCMessage[] = []
  let rest = ''
  let from = 0
  for (let tried = 0, at = nextStart(text, 0); at >= 0 && tried < mostTried; ) {
    const end = endOfValue(text, at)
    const value = text.slice(at, end)
    // Words before it may hide its depth.
    const found = isDeeper(value) ? undefined : messagesOf(value)
    if (found) {
      messages.push(...found)
      rest += text.slice(from, at)
      from = end
    } else tried++
    at = nextStart(text, found ? end : at + 1)
  }
  return { messages, rest: (rest + text.slice(from)).trim() }
}

function nextStart(text: string, from: number): number {
  const found = text.slice(from).search(/\{\s*"|\[\s*\{/)
  return found < 0 ? -1 : from + found
}

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
  let isDeep = false
  walkJson(text, 0, (depth) => {
    isDeep = depth > deepest
    return isDeep
  })
  return isDeep
}

/** Where the value ends that begins at a place; the end of the text if it does not end. */
const endOfValue = (text: string, from: number): number => walkJson(text, from, (depth) => depth === 0)

/** Walks over JSON, which need not be valid, until `isEnd` of the depth behind a bracket. Returns where it stopped. */
function walkJson(text: string, from: number, isEnd: (depth: number) => boolean): number {
  let depth = 0
  let isText = false
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === backslash) at++
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === openBrace || code === openBracket) {
      if (isEnd(++depth)) return at + 1
    } else if (code === closeBrace || code === closeBracket) {
      if (isEnd(--depth)) return at + 1
    }
  }
  return text.length
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125]
