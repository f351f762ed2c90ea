import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { keyStandIn } from './key-guard.ts'

/** Where providers look for a key. It goes nowhere else. */
const keyHeaders = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'])

/** The stand-in as a whole value, after a scheme where the header has one. */
const standsIn = new RegExp(`^(?:[A-Za-z][A-Za-z-]* +)?${keyStandIn}$`)

/** Of one connection, or made anew here. A part of a reply could hold a part of what is looked for in it. */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
  ...['host', 'content-length', 'accept-encoding', 'expect', 'range', 'if-range'],
])

/** What tells a server on the way of another client, host, address or method than those of the request. */
const misleading =
  /^(?:forwarded|via|max-forwards|x-real-ip|x-host|proxy|proxy-.*|x-(?:forwarded|original|rewrite|http|method|envoy)(?:-.*)?)$/

/** Why a request is not passed on, by its headers; undefined where it is. */
export function headersProblem({ headers }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding']
  if (headers.upgrade !== undefined) return 'asks for another protocol (Upgrade)'
  if (coding === undefined) return undefined
  if (headers['content-length'] !== undefined) return 'tells the length of its body in two ways'
  return coding.trim().toLowerCase() === 'chunked' ? undefined : 'has a body in another form than "chunked"'
}

/** A program's headers as its provider gets them, with the key where the stand-in stood for it. */
export function headersToProvider(
  { headers }: IncomingMessage,
  key: string | undefined,
  hasKeyParameter: boolean,
): OutgoingHttpHeaders {
  const own = namedByConnection(headers)
  const kept = Object.entries(headers).filter(
    ([name]) => !ofConnection.has(name) && !misleading.test(name) && !own.has(name),
  )
  // Keys in addresses are written down by servers: Google's, who take one there, take it in this header as well.
  const given = hasKeyParameter ? [...kept, ['x-goog-api-key', keyStandIn] as const] : kept
  return {
    ...Object.fromEntries(given.flatMap(([name, value]) => withKey(name, value, key))),
    ...bodyHeaders(headers),
    // Replies come as plain text, since they are read on the way.
    'accept-encoding': 'identity',
  }
}

/** The names that a message's Connection header takes for itself. */
export function namedByConnection({ connection = '' }: IncomingHttpHeaders): ReadonlySet<string> {
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
}

function withKey(
  name: string,
  value: string | string[] | undefined,
  key: string | undefined,
): [string, string | string[]][] {
  if (value === undefined) return []
  if (!keyHeaders.has(name) || typeof value !== 'string' || !standsIn.test(value)) return [[name, value]]
  return key === undefined ? [] : [[name, value.slice(0, -keyStandIn.length) + key]]
}

function bodyHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' }
  const length = headers['content-length']
  return length === undefined ? {} : { 'content-length': length }
}
