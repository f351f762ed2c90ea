import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** The deepest nesting of a message. Deeper values end programs that walk them. */
const deepest = 100

/** What one line of a server holds: messages, or something else, as a text for people. */
export type ParsedLine = { messages: JSONRPCMessage[] } | { stray: string }

/** Parses one line. An array is a batch, as in protocol 2025-03-26. An empty line holds no message. */
export function parseLine(line: Buffer): ParsedLine {
  // Some servers on Windows begin their output with a byte order mark.
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  if (text === '') return { messages: [] }
  if (isDeeper(text)) return { stray: `a message that is nested deeper than ${deepest} levels` }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { stray: JSON.stringify(shownStart(text)) }
  }
  const all = Array.isArray(value) ? value : [value]
  return all.every(isMessage) ? { messages: all } : { stray: JSON.stringify(shownStart(text)) }
}

const shownStart = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text)

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === 'object' && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === '2.0'

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
