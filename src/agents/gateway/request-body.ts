import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { parse, stringify } from 'lossless-json'
import type { Wire } from '../../schema/agent/agent-program.ts'
import { isObject } from '../../text/is-object.ts'
import { type Json, parseJson } from '../wire/json.ts'

/** The body of a request, read whole: its value, and the text that goes on in its place. */
export interface RequestBody {
  json: Json
  text: string
  /** It asks for the event that tells the tokens of a stream, and the program did not. */
  asksUsage?: true
}

/** A body, or the status and reason of its refusal. */
type ReadBody = RequestBody | { status: number; problem: string }

/** Maximum size of a body in bytes, as it comes and decoded. Anthropic takes no more either. */
const largest = 32 * 1024 ** 2

/** Maximum size of all bodies that a gateway holds at the same time, in bytes. */
const largestAtOnce = 8 * largest

/** Reads the bodies of a program's requests. */
export type BodyReader = (incoming: IncomingMessage) => Promise<ReadBody>

/** Returns a reader for one gateway. It rejects only if the program closes its connection. */
export function createBodyReader(): BodyReader {
  let held = 0
  return async (incoming) => {
    const chunks: Buffer[] = []
    let size = 0
    try {
      if (Number(incoming.headers['content-length'] ?? 0) > largest) return tooLarge
      // Destroying the request would end its connection, before the reply.
      for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
        size += (chunk as Buffer).length
        held += (chunk as Buffer).length
        if (size > largest) return tooLarge
        if (held > largestAtOnce) return { status: 429, problem: 'has too many large ones beside it' }
        chunks.push(chunk as Buffer)
      }
      return await readBody(Buffer.concat(chunks), incoming.headers['content-encoding'] ?? '')
    } finally {
      held -= size
    }
  }
}

const tooLarge = { status: 413, problem: `has a body of more than ${largest / 1024 ** 2} MB` }

async function readBody(bytes: Buffer, encoding: string): Promise<ReadBody> {
  const decode = decoderOf(encoding.trim().toLowerCase())
  if (!decode) {
    const known = Object.keys(decoders).join(', ')
    return { status: 415, problem: `has a body in the encoding "${encoding}"; bench reads ${known}` }
  }
  let plain: Buffer
  try {
    plain = await decode(bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge
    return { status: 400, problem: `has a body that is not ${encoding}` }
  }
  return parseBody(new TextDecoder().decode(plain))
}

type Decode = (bytes: Buffer) => Promise<Buffer>

const bounded = (decode: unknown): Decode => {
  const decodeWith = promisify(decode as (bytes: Buffer, options: object, done: () => void) => void)
  return (bytes) => decodeWith(bytes, { maxOutputLength: largest }) as unknown as Promise<Buffer>
}

/** Encodings by name. Node has zstd since 22.15; a decoder in JavaScript would reserve as much memory as a header asks for. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: bounded(zlib.gunzip),
  br: bounded(zlib.brotliDecompress),
  ...('zstdDecompress' in zlib && { zstd: bounded(zlib.zstdDecompress) }),
}

function decoderOf(encoding: string): Decode | undefined {
  if (encoding === '' || encoding === 'identity') return async (bytes) => bytes
  return Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
}

/** A number that loses digits as a double, or what looks like one inside a text. */
const longNumber = /[:,[]\s*-?(?:[\d.]{16}|\d[\d.]*[eE])/

/**
 * Reads a body as one JSON object, and writes it anew: of a doubled field the last one counts, for bench as for the provider. What is
 * judged is what was written. Long numbers keep their digits.
 */
function parseBody(text: string): ReadBody {
  try {
    const anew = longNumber.test(text) ? writeAnew(text) : JSON.stringify(parseJson(text))
    // A copy of it would take the fields of its prototype for its own.
    if (anew.includes('"__proto__":')) return { status: 400, problem: 'has a field "__proto__"' }
    const json = parseJson(anew)
    if (isObject(json)) return { json, text: anew }
  } catch {
    // The same as for a list or a text.
  }
  return { status: 400, problem: 'has a body that is not one JSON object, of at most 200 levels' }
}

/** Returns the text of an object with a field of another value. */
export const withField = (text: string, field: string, value: unknown): string =>
  stringify({ ...(parse(text) as object), [field]: value }) ?? ''

const writeAnew = (text: string): string =>
  stringify(parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue })) ?? ''

const flag = [(value: unknown) => typeof value === 'boolean', 'true or false'] as const
const word = [(value: unknown) => typeof value === 'string', 'a text'] as const
const group = [isObject, 'an object'] as const
const items = [Array.isArray, 'a list'] as const

/** Fields whose value decides what bench does with a request, each with what it must be. */
const acted: Readonly<
  Record<Wire, Readonly<Record<string, readonly [(value: unknown) => boolean, string]>>>
> = {
  chat: { model: word, stream: flag, stream_options: group, messages: items },
  responses: { model: word, stream: flag, stream_options: group },
  messages: { model: word, stream: flag, messages: items },
  gemini: { model: word },
}

/** Returns why a body is refused whose value is of another type: servers differ in what they make of `stream: "yes"`. Null is as good as absent. */
export function typeProblem(json: Json, wire: Wire): string | undefined {
  const { include_usage: told } = isObject(json.stream_options) ? json.stream_options : {}
  if (told != null && !flag[0](told))
    return `has a field "stream_options.include_usage" that is not ${flag[1]}`
  const wrong = Object.entries(acted[wire]).find(
    ([field, [isRight]]) => json[field] != null && !isRight(json[field]),
  )
  return wrong && `has a field "${wrong[0]}" that is not ${wrong[1][1]}`
}
