import type { IncomingHttpHeaders } from 'node:http'
import type { Wire } from '../../schema/agent/agent-program.ts'
import { keyStandIn } from './key-guard.ts'

interface AskedPath {
  wire: Wire
  /** The model, where the path names it. */
  model?: string
}

/** The paths of models below a provider's own path. The meter reads the replies of these, and of no others. */
const paths: Readonly<Record<Wire, RegExp>> = {
  messages: /^(?:\/v1)?\/messages$/,
  responses: /^(?:\/v1)?\/responses$/,
  chat: /^(?:\/v1)?\/chat\/completions$/,
  gemini: /^(?:\/v1(?:alpha|beta)?)?\/models\/([^/:]+):(?:generateContent|streamGenerateContent)$/,
}

/** All wires, for a program that does not say which it uses. */
export const allWires = Object.keys(paths) as readonly Wire[]

/** Parameters of a query that change how a reply comes, and nothing else. The key is removed before. */
const parameters =
  /^(?:beta=true|alt=(?:sse|json)|(?:\$|%24)alt=json(?:;|%3B)enum-encoding(?:=|%3D)int|prettyPrint=(?:true|false)|api-version=\d{4}-\d\d-\d\d(?:-preview)?)$/

/** Returns what a POST to a path asks, or why it is refused. `own` is the provider's own path. */
export function pathAsked(
  target: string,
  own: string,
  wires: readonly Wire[],
): AskedPath | { problem: string } {
  const [path = '', ...rest] = target.split('?')
  const query = rest.join('?')
  const below = path.slice(own.length)
  for (const wire of wires) {
    const found = paths[wire].exec(below)
    if (!found) continue
    const unknown = query.split('&').find((part) => part !== '' && !parameters.test(part))
    if (unknown !== undefined)
      return { problem: `has the parameter "${unknown}", which is not on the list of bench` }
    return { wire, ...(found[1] !== undefined && { model: decoded(found[1]) }) }
  }
  return { problem: 'is for another address than that of its models, which bench cannot meter' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the wire whose vendor would answer a request, to refuse it in that vendor's form. */
export function wireOf(path: string, headers: IncomingHttpHeaders, wires: readonly Wire[]): Wire {
  const [only] = wires
  if (wires.length === 1 && only) return only
  if (/\/messages\b/.test(path) || headers['anthropic-version'] !== undefined) return 'messages'
  if (/\/v1beta\b|:\w+(?:\?|$)/.test(path) || headers['x-goog-api-key'] !== undefined) return 'gemini'
  return /\/responses\b/.test(path) ? 'responses' : 'chat'
}

const errorTypes: Readonly<Record<number, readonly [string, string, string]>> = {
  400: ['invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
  403: ['permission_error', 'permission_error', 'PERMISSION_DENIED'],
  413: ['request_too_large', 'invalid_request_error', 'INVALID_ARGUMENT'],
  415: ['invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
  429: ['rate_limit_error', 'rate_limit_exceeded', 'RESOURCE_EXHAUSTED'],
  502: ['api_error', 'server_error', 'UNAVAILABLE'],
}

/** Returns the body of an error as the vendor of a wire writes it. */
export function errorBody(wire: Wire, status: number, message: string): string {
  const [anthropic, openai, google] = errorTypes[status] ?? ['api_error', 'server_error', 'UNKNOWN']
  if (wire === 'messages') return JSON.stringify({ type: 'error', error: { type: anthropic, message } })
  if (wire === 'gemini') return JSON.stringify({ error: { code: status, message, status: google } })
  return JSON.stringify({ error: { message, type: openai, param: null, code: null } })
}

type Target =
  | {
      /** Path and query. */
      path: string
      /** The `key` parameter held the stand-in and was removed. */
      hasKeyParameter: boolean
    }
  | { problem: string }

/** Maximum depth of percent-encoding. A deeper one can only be meant to deceive a server. */
const mostDecoded = 4

/**
 * Checks a request target, which a program in a sandbox chooses freely. Only a path below the provider's own is allowed: no
 * other origin, nothing that a server could read as one, and no path upwards.
 */
export function targetOf(target: string, base: URL): Target {
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(target))
    return { problem: 'is not a path: it must begin with one "/" and contain only printable ASCII' }
  if (/[\\#]/.test(target)) return { problem: 'holds a "\\" or a "#"' }
  const [path = '', ...query] = target.split('?')
  const problem = pathProblem(path)
  if (problem !== undefined) return { problem }
  const own = base.pathname.replace(/\/+$/, '')
  if (path !== own && !path.startsWith(`${own}/`))
    return { problem: `is outside ${own}, the path of the provider` }
  if (query.length === 0) return { path, hasKeyParameter: false }
  const all = query.join('?').split('&')
  const kept = all.filter((parameter) => parameter !== `key=${keyStandIn}`)
  return {
    path: kept.length > 0 ? `${path}?${kept.join('&')}` : path,
    hasKeyParameter: kept.length < all.length,
  }
}

function pathProblem(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'holds a "%" that is not followed by two hexadecimal digits'
  let text = path
  for (let round = 0; round <= mostDecoded; round++) {
    const problem = decodedProblem(text)
    if (problem !== undefined) return problem
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    if (decoded === text) return undefined
    text = decoded
  }
  return `is percent-encoded more than ${mostDecoded} times`
}

function decodedProblem(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f\\]/.test(text)) return 'holds a control character or a "\\"'
  // Bytes that never occur in UTF-8. Old servers read some of them as "." and "/".
  if (/[\u00c0\u00c1\u00f5-\u00ff]/.test(text)) return 'is not UTF-8'
  if (text.startsWith('//')) return 'begins with more than one "/"'
  // A ";" begins a parameter of the segment, which some servers drop first.
  const names = text.split('/').map((segment) => segment.split(';')[0])
  return names.some((name) => name === '.' || name === '..') ? 'holds "." or ".."' : undefined
}
