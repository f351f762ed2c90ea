import { isObject } from '../../text/is-object.ts'
import { type Json, tryParseJson } from '../wire/json.ts'

/** What a server says about an error in fields of its own, without what it repeats of the request. */
export interface ServerWords {
  /** Its message; empty if it gives none. */
  message: string
  /** Its types, codes and states, such as `invalid_request_error` or `API_KEY_INVALID`. */
  codes: readonly string[]
  /** The HTTP status that it names; it may come inside a reply with status 200. */
  status: number | undefined
}

/** Messages may hold the message of another server; more of them inside each other are not read. */
const deepest = 6

/** Maximum length of a body that is read as JSON, and of a text of which the words are read; characters. */
const longestJson = 1_000_000
const longestText = 4_000

/** Returns the words of a body: JSON, also if its end is missing, a page, or plain text. */
export function wordsOfBody(body: string): ServerWords {
  const text = body.trim()
  const isJson = /^[{[]/.test(text)
  const json = isJson && text.length <= longestJson ? tryParseJson(text) : undefined
  if (json !== undefined) return wordsOf(json)
  const begun = isJson ? wordsOfBeginning(text.slice(0, longestJson)) : nothing
  if (begun.message !== '') return begun
  return { message: wordsOfPage(text), codes: [], status: undefined }
}

/** Returns the words of an error that is already parsed: a body, an event of a stream, or a text. */
export function wordsOf(value: unknown, depth = 0): ServerWords {
  if (typeof value === 'string') return wordsOfText(value, depth)
  if (Array.isArray(value)) return joined(value.slice(0, 5).map((one) => wordsOf(one, depth + 1)))
  if (!isObject(value) || depth > deepest) return nothing
  const { error, errors, detail, message, msg, Message, title, metadata } = value
  const { error_message, status_msg } = value
  const own: ServerWords = { message: '', codes: codesOf(value), status: statusOf(value) }
  const inner = [error, message, Message, detail, errors, msg, title, error_message, status_msg]
    .filter((one) => one !== undefined && one !== null && one !== '' && typeof one !== 'boolean')
    .slice(0, 1)
    .map((one) => wordsOf(one, depth + 1))
  // What the server behind a router said.
  const raw = isObject(metadata) && metadata.raw ? [wordsOf(metadata.raw, depth + 1)] : []
  return joined([own, ...inner, ...raw])
}

const textField =
  /(?<!\\)"(message|msg|detail|error|type|code|status|reason)"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)/g

function wordsOfBeginning(text: string): ServerWords {
  const found: { message?: string; codes: string[] } = { codes: [] }
  for (const [, name = '', value = ''] of text.matchAll(textField)) {
    if (!codeFields.includes(name)) found.message ??= unescaped(value.slice(0, longestText))
    else if (found.codes.length < 10 && value.length <= 100) found.codes.push(value)
  }
  return { message: found.message ?? '', codes: found.codes, status: undefined }
}

/** Returns the text that a JSON string stands for, also if it is cut in the middle of an escape. */
function unescaped(text: string): string {
  const value = tryParseJson(`"${text.replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')}"`)
  return typeof value === 'string' ? value : text
}

const nothing: ServerWords = { message: '', codes: [], status: undefined }

/** A text may be JSON, or hold some behind the name of an error. */
function wordsOfText(text: string, depth: number): ServerWords {
  const start = text.indexOf('{')
  const json =
    start >= 0 && start < 200 && depth < deepest && text.length <= longestJson
      ? tryParseJson(text.slice(start).trim())
      : undefined
  const inner = isObject(json) ? wordsOf(json, depth + 1) : pythonWords(text.slice(0, longestText))
  if (inner.message === '') return { ...nothing, message: text.trim() }
  return { ...inner, message: `${text.slice(0, start)}${inner.message}`.trim() }
}

/** Returns the message of an error that a proxy in Python shows as a `dict`. */
function pythonWords(text: string): ServerWords {
  const message = /\{.{0,200}'message': (['"])(.*?)\1[,}]/s.exec(text)?.[2] ?? ''
  return { ...nothing, message }
}

function joined(all: readonly ServerWords[]): ServerWords {
  return {
    message: [...new Set(all.map(({ message }) => message).filter((text) => text !== ''))].join(': '),
    codes: all.flatMap(({ codes }) => codes),
    status: all.find(({ status }) => status !== undefined)?.status,
  }
}

/** What codes of MiniMax mean, which come with status 200. */
const codesOfMiniMax: Readonly<Record<number, string>> = {
  1002: 'rate_limit',
  1004: 'invalid_api_key',
  1008: 'insufficient_balance',
  1026: 'content_filter',
  1027: 'content_filter',
  1039: 'rate_limit',
  2013: 'invalid_request',
  2049: 'invalid_api_key',
  2056: 'rate_limit',
}

/** The fields that hold a code, at an error and at Google's details of it. */
const codeFields = ['type', 'code', 'status', 'reason', 'error_type', 'finish_reason']

function codesOf(value: Json): string[] {
  const places = [
    value,
    value.innererror,
    ...(Array.isArray(value.details) ? value.details.slice(0, 10) : []),
  ]
  const { status_msg, status_code } = value
  const known = typeof status_msg === 'string' ? codesOfMiniMax[Number(status_code)] : undefined
  const codes = places.flatMap((place) =>
    isObject(place)
      ? codeFields.flatMap((field) => {
          const code = place[field]
          return typeof code === 'string' && code !== '' && code.length <= 100 ? [code] : []
        })
      : [],
  )
  return known === undefined ? codes : [known, ...codes]
}

function statusOf(value: Json): number | undefined {
  return [value.code, value.status, value.status_code]
    .map((one) => (typeof one === 'string' && /^\d{3}$/.test(one) ? Number(one) : one))
    .find((one): one is number => typeof one === 'number' && Number.isInteger(one) && one >= 400 && one < 600)
}

/** Returns the first words of a page or text: its title, and the text behind it. */
export function wordsOfPage(page: string): string {
  const start = page.slice(0, longestText)
  if (!/^\s*</.test(start)) return start.replace(/\s+/g, ' ').trim()
  const title = /<title[^>]*>([^<]*)/i.exec(start)?.[1]?.trim() ?? ''
  const body = start
    .replace(/<(head|script|style)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return body.startsWith(title) ? body : `${title}: ${body}`.replace(/: $/, '')
}
