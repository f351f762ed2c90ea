import { isObject } from '../../../text/is-object.ts'
import { shorten } from '../../../text/shorten.ts'
import { objectAt, textAt } from '../../wire/json.ts'

const longestWords = 300

/**
 * Returns the message in the body of a refusal: `error.message`, `error`, `message` or `detail` of its JSON, else its text, from a page
 * of HTML without tags. Empty if there is none. The body may be cut off.
 */
export function serverWords(body: string): string {
  const text = body.trim()
  const json = parsed(text)
  const words = json === undefined ? (quotedMessage(text) ?? plainText(text)) : messageIn(json)
  return shorten(words.trim(), longestWords)
}

/**
 * Returns a program's message with the server's message in place of the JSON around it, which some programs show as it came. Any other
 * message is returned unchanged.
 */
export function withoutJson(message: string): string {
  const start = message.indexOf('{')
  const end = message.lastIndexOf('}')
  if (start < 0 || end < start) return message
  const json = parsed(message.slice(start, end + 1))
  const words = json === undefined ? '' : messageIn(json)
  return words === '' ? message : `${message.slice(0, start)}${words}${message.slice(end + 1)}`
}

function messageIn(json: unknown): string {
  if (Array.isArray(json)) return json.map(messageIn).find(Boolean) ?? ''
  if (typeof json === 'string') return json
  if (!isObject(json)) return ''
  const candidates = [
    textAt(objectAt(json, 'error'), 'message'),
    textAt(json, 'error'),
    textAt(json, 'message'),
    textAt(json, 'msg'),
    messageIn(json.detail),
  ]
  return candidates.find(Boolean) ?? ''
}

/** Returns the first message in JSON that was cut off, or in the events of a stream. */
function quotedMessage(text: string): string | undefined {
  const quoted = /"(?:message|detail)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  return quoted === undefined ? undefined : (parsed(quoted) as string | undefined)
}

function plainText(text: string): string {
  if (!text.startsWith('<')) return text.replace(/\s+/g, ' ')
  const title = /<title>([^<]*)/i.exec(text)?.[1]
  return (title ?? text.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
