import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import type { RefuseBelow } from '../../sandbox/gateway.ts'
import type { Wire } from '../../schema/agent/agent-program.ts'
import { decodeBody, headersProblem, headersToProvider, passReply } from './headers.ts'
import { type BodyRules, judgeBody } from './judge-body.ts'
import { createKeyGuard, type KeyGuard } from './key-guard.ts'
import type { Meter, Recorder } from './meter.ts'
import { type Refusals, refusalWords } from './refusals.ts'
import {
  type BodyReader,
  createBodyReader,
  type RequestBody,
  typeProblem,
  withField,
} from './request-body.ts'
import { errorBody, pathAsked, targetOf, wireOf } from './wires.ts'

/** Maximum number of requests in one call, which bounds the memory of the meter. */
const mostRequests = 100_000

/** What the program of one call may ask, and the count of what it may not. */
export interface GatewayRules extends BodyRules {
  /** The wires that the program uses. */
  wires: readonly Wire[]
  refusals: Refusals
  /** Returns a body with what the agent, and not the program, decides, such as the model. */
  rewrite?(body: RequestBody, wire: Wire): RequestBody
  /** Returns the target of a request as the program sent it, where it was changed. */
  sentTarget?(incoming: IncomingMessage): string | undefined
}

/** Why a request is refused, as the end of a sentence about it, and the status of the answer. */
interface Refusal {
  status: number
  problem: string
}

interface Admitted {
  path: string
  headers: OutgoingHttpHeaders
  text: string
  /** What it has the provider run. */
  tools: readonly string[]
  /** The event that tells the tokens of its stream is not for the program. */
  hidesUsage: boolean
}

/**
 * Forwards what a CLI asks its models to its provider, and nothing else. Only a POST to a path of models passes, whose whole body bench
 * knows; it is written anew, and in the key headers the key replaces its stand-in. Any other request is refused in the form of the
 * vendor's errors, and counted. The meter records what passes.
 */
export function forwardTo(
  baseUrl: string,
  key: string | undefined,
  meter: Pick<Meter, 'admit'>,
  rules: GatewayRules,
): RequestListener {
  const base = new URL(baseUrl)
  const guard = createKeyGuard(key)
  const readBody = createBodyReader()
  let requests = 0
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const asked = ++requests > mostRequests ? tooMany : await admit(incoming, { base, key, rules, readBody })
    if ('problem' in asked) return refuseRequest(incoming, response, asked, rules)
    if (response.destroyed) return
    const body = Buffer.from(asked.text)
    const begin = await meter.admit(body, goneSignal(response), () => response.destroy())
    if (!begin) return
    if ('refused' in begin) return answer(incoming, response, rules, 403, begin.refused)
    const recorder = begin(asked.path)
    const sent = askProvider(base, asked)
    if ('problem' in sent) {
      // No connection was made.
      recorder.recordBreak('EPROTO')
      return refuseRequest(incoming, response, sent, rules)
    }
    rules.refusals.pass(asked.tools)
    recorder.recordRequest(Readable.from([body]))
    passOn(incoming, sent, response, { guard, recorder, rules, hidesUsage: asked.hidesUsage })
    sent.end(body)
  }
  return (incoming, response) => {
    // A broken client connection needs no handling.
    for (const end of [incoming, response]) end.on('error', () => {})
    // It rejects if the program closes its connection while its body is read.
    handle(incoming, response).catch(() => response.destroy())
  }
}

const tooMany = { status: 429, problem: `is one more than ${mostRequests} of this call` }

async function admit(
  incoming: IncomingMessage,
  parts: { base: URL; key: string | undefined; rules: GatewayRules; readBody: BodyReader },
): Promise<Admitted | Refusal> {
  const { base, key, rules, readBody } = parts
  const target = targetOf(incoming.url ?? '', base)
  if ('problem' in target) return { status: 400, problem: `has a target that ${target.problem}` }
  const problem = headersProblem(incoming)
  if (problem !== undefined) return { status: 400, problem }
  if (incoming.method !== 'POST') return { status: 403, problem: 'is no POST' }
  const asked = pathAsked(target.path, base.pathname.replace(/\/+$/, ''), rules.wires)
  if ('problem' in asked) return { status: 403, ...asked }
  const read = await readBody(incoming)
  if ('problem' in read) return read
  const mistyped = typeProblem(read.json, asked.wire)
  if (mistyped !== undefined) return { status: 400, problem: mistyped }
  const body = rules.rewrite?.(read, asked.wire) ?? read
  const verdict = judgeBody(asked, body.json, rules)
  if ('problem' in verdict) return { status: 403, ...verdict }
  rules.keepModel?.(verdict.model)
  // OpenAI stores a reply unless it is told not to.
  const isStored = asked.wire === 'responses' && body.json.store == null && !rules.allowProviderTools
  const text = isStored ? withField(body.text, 'store', false) : body.text
  const headers = headersToProvider(incoming, key, target.hasKeyParameter, Buffer.byteLength(text))
  return { path: target.path, headers, text, tools: verdict.tools, hidesUsage: body.asksUsage === true }
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

/** Refuses every request, for a program that has no provider. */
export const refuseEveryRequest =
  (rules: Pick<GatewayRules, 'wires' | 'refusals'>): RequestListener =>
  (incoming, response) =>
    refuseRequest(
      incoming,
      response,
      { status: 403, problem: 'has no provider: this agent has no baseUrl' },
      rules,
    )

/** Refuses what comes in no plain request (CONNECT, Upgrade, broken HTTP), counts it, and returns the body of the answer. */
export const refuseBelow =
  ({ refusals, wires }: Pick<GatewayRules, 'wires' | 'refusals'>): RefuseBelow =>
  ({ method = '', url = '', headers = {} }, status, problem) => {
    refusals.add(method, url, problem)
    return errorBody(wireOf(url, headers, wires), status, `${refusalWords}: it ${problem}`)
  }

/** Starts a request to the provider. Host, port and protocol never depend on the path. */
function askProvider(base: URL, { path, headers }: Admitted): ClientRequest | Refusal {
  const { protocol, hostname, port } = urlToHttpOptions(base)
  const ask = protocol === 'https:' ? requestHttps : requestHttp
  try {
    if (new URL(path, base.origin).origin !== base.origin)
      throw new TypeError('the path leads to another origin')
    return ask({ protocol, hostname, port, path, method: 'POST', headers })
  } catch (error) {
    return { status: 400, problem: `cannot be passed on (${codeOf(error)})` }
  }
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ClientRequest,
  response: ServerResponse,
  {
    guard,
    recorder,
    rules,
    hidesUsage,
  }: { guard: KeyGuard; recorder: Recorder; rules: GatewayRules; hidesUsage: boolean },
): void {
  const fail = (error: unknown) => {
    recorder.recordBreak((error as NodeJS.ErrnoException).code)
    outgoing.destroy()
    if (response.headersSent) response.destroy()
    else answer(incoming, response, rules, 502, `the provider cannot be reached (${codeOf(error)})`)
  }
  outgoing.on('error', fail)
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy()
    fail(new Error('it speaks another protocol'))
  })
  outgoing.on('response', (answer) => {
    // The reader of the body handles this error; this listener covers a reply that nobody reads any more.
    answer.on('error', () => {})
    try {
      const body = decodeBody(answer)
      if (!body) return fail(new Error('its encoding is not known'))
      recorder.recordReply(answer, body)
      passReply(answer, body, response, { guard, hidesUsage })
    } catch (error) {
      fail(error)
    }
  })
  const leave = () => {
    recorder.recordLeft()
    outgoing.destroy()
  }
  // It may have closed its connection while it waited for room.
  if (response.destroyed) leave()
  else response.on('close', leave)
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'no connection'

/** Refuses a request in the form of its vendor, and counts it. */
export function refuseRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, problem }: Refusal,
  rules: Pick<GatewayRules, 'wires' | 'refusals' | 'sentTarget'>,
): void {
  rules.refusals.add(incoming.method ?? '', rules.sentTarget?.(incoming) ?? incoming.url ?? '', problem)
  answer(incoming, response, rules, status, `${refusalWords}: it ${problem}`)
}

function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { wires }: Pick<GatewayRules, 'wires'>,
  status: number,
  message: string,
): void {
  // The rest of the request is discarded.
  incoming.resume()
  const wire = wireOf(incoming.url ?? '', incoming.headers, wires)
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(errorBody(wire, status, message))
}
