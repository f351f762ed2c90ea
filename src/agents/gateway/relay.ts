import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { OpenGateway } from '../../sandbox/gateway.ts'
import type { Sandbox } from '../../sandbox/open-sandbox.ts'
import type { Wire } from '../../schema/agent/agent-program.ts'
import type { RefusedRequests } from '../../schema/ledger/program-use.ts'
import type { AgentReply, RequestUse } from '../agent.ts'
import type { Upstream } from '../upstream.ts'
import { servers } from '../vendor.ts'
import { sum } from '../wire/json.ts'
import { forwardTo, refuseBelow, refuseRequest } from './forward.ts'
import { keyStandIn } from './key-guard.ts'
import type { Meter } from './meter.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { type Prices, recordReply } from './relayed-reply.ts'
import { expectedTokens } from './request-bill.ts'
import type { RequestBody } from './request-body.ts'
import { withModel } from './told-usage.ts'
import { allWires, pathAsked } from './wires.ts'

/** A request of a program to the model of a role, before it goes out. */
export interface RelayedRequest {
  role: string
  /** The body that goes out: JSON. */
  body: string
  /** What it may use. */
  expected: RequestUse
  /** Aborts when the program closes its connection. */
  gone: AbortSignal
}

interface RelayParts {
  /** Who answers for each role; the first one answers what names no role. */
  upstreams: Readonly<Record<string, Upstream & { agent: string }>>
  openGateway: Sandbox['openGateway']
  /**
   * Called with each request in the order of arrival. It calls `send` once the request may go out, which returns what came of it. If it
   * rejects before, the program gets the error's message.
   */
  ask(request: RelayedRequest, send: (signal: AbortSignal) => Promise<AgentReply>): Promise<void>
}

/** How a request names the role that it asks. */
const roleHeader = 'x-bench-role'
const rolePath = /^\/role\/([^/?]+)(?=\/|$)/

/** Environment variables that lead the libraries of vendors to the gateway at `url`. */
const relayVariables = (url: string, model: string): Readonly<Record<string, string>> => ({
  BENCH_BASE_URL: url,
  BENCH_MODEL: model,
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_BASE: `${url}/v1`,
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_BASE: url,
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_BASE: url,
  ...Object.fromEntries(keyVariables.map((name) => [name, keyStandIn])),
})

/** Libraries do not start without a key. */
const keyVariables = Object.values(servers).flatMap((server) => server.keyVariables)

/** A gateway through which a program asks the models of its roles. */
interface Relay {
  gateway: OpenGateway
  /** The environment that leads a program to it. */
  env: Readonly<Record<string, string>>
  /** What it did not let pass. */
  refused(): RefusedRequests | undefined
}

/**
 * Opens a gateway that passes the requests of a program on to the models of its roles, each as one ask: in the format of the role's agent,
 * with that agent's model and key. All else is refused, as `forwardTo` does.
 */
export async function openRelay({ upstreams, ask, openGateway }: RelayParts): Promise<Relay> {
  const refusals = createRefusals()
  const roles = Object.keys(upstreams)
  const opened = await Promise.all(
    Object.entries(upstreams).map(
      async ([role, upstream]) => [role, await openRole(role, upstream, { refusals, ask })] as const,
    ),
  )
  const listeners = new Map(opened)
  const unknownRole = { wires: allWires, refusals }
  const listen: RequestListener = (incoming, response) => {
    // A broken connection of the program needs no handling.
    for (const end of [incoming, response]) end.on('error', () => {})
    const { role = roles[0] as string, path } = roleOf(incoming)
    const listenAt = listeners.get(role)
    if (listenAt) return listenAt(incoming, response, path)
    const problem = `is for the role "${role}"; there are ${roles.join(', ')}`
    refuseRequest(incoming, response, { status: 403, problem }, unknownRole)
  }
  const gateway = await openGateway(listen, refuseBelow(unknownRole))
  const model = Object.values(upstreams)[0]?.model ?? ''
  return { gateway, env: relayVariables(gateway.url, model), refused: refusals.read }
}

function roleOf({ url = '', headers }: IncomingMessage): { role: string | undefined; path: string } {
  const [prefix = '', named] = rolePath.exec(url) ?? []
  const header = headers[roleHeader]
  return { role: named ?? (typeof header === 'string' ? header : undefined), path: url.slice(prefix.length) }
}

type ListenAt = (incoming: IncomingMessage, response: ServerResponse, path: string) => void

async function openRole(
  role: string,
  upstream: Upstream & { agent: string },
  { refusals, ask }: Pick<RelayParts, 'ask'> & { refusals: Refusals },
): Promise<ListenAt> {
  const { baseUrl = '', model, wires, agent } = upstream
  const own = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const sent = new WeakMap<IncomingMessage, string>()
  const rules = {
    wires,
    refusals,
    models: [model],
    isOwnModel: (asked: string) => asked === model,
    allowProviderTools: upstream.providerTools,
    rewrite: (body: RequestBody, wire: Wire) => withModel(body, wire, model),
    sentTarget: (incoming: IncomingMessage) => sent.get(incoming),
  }
  const forward = forwardTo(
    baseUrl,
    upstream.key(),
    relayMeter(role, { price: await upstream.loadPrices(), ask, refusals }),
    rules,
  )
  return (incoming, response, path) => {
    sent.set(incoming, incoming.url ?? '')
    // The address of a model's server ends in its version, whatever the program and its library add, once or twice.
    const below = path.replace(/^(?:\/v1(?:alpha|beta)?(?=\/))+/, '')
    if (incoming.method === 'GET' && /^\/models(?:\/[^?]*)?(?:\?|$)/.test(below))
      return tellModel(incoming, response, { id: model, isList: !/^\/models\/[^?]/.test(below) })
    const asked = wires.find((wire) => isOf(below, wire))
    const other = asked ? undefined : allWires.find((wire) => isOf(below, wire))
    if (other) {
      const problem = `is in the format of ${names[other]}; ${agent}, the agent of the role "${role}", takes ${wires.map((wire) => names[wire]).join(' or ')}`
      return refuseRequest(incoming, response, { status: 403, problem }, rules)
    }
    incoming.url = `${own}${below.replace(/^\/models\/[^/:]+(?=:)/, () => `/models/${encodeURIComponent(model)}`)}`
    if (asked) takeKeys(incoming, asked)
    forward(incoming, response)
  }
}

/** Answers a question for models, which libraries ask first, with the one that there is: in one body for all formats. */
function tellModel(
  incoming: IncomingMessage,
  response: ServerResponse,
  { id, isList }: { id: string; isList: boolean },
): void {
  incoming.resume()
  const one = {
    ...{
      id,
      type: 'model',
      object: 'model',
      display_name: id,
      created: 0,
      created_at: '1970-01-01T00:00:00Z',
    },
    ...{ name: `models/${id}`, supportedGenerationMethods: ['generateContent'] },
  }
  const all = { object: 'list', data: [one], models: [one], has_more: false, first_id: id, last_id: id }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isList ? all : one))
}

/** Puts the stand-in, which becomes the agent's key, in the place of whatever key the program sends: it may have one of its own. */
function takeKeys({ headers }: IncomingMessage, wire: Wire): void {
  for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']) delete headers[name]
  if (wire === 'messages') headers['x-api-key'] = keyStandIn
  else if (wire === 'gemini') headers['x-goog-api-key'] = keyStandIn
  else headers.authorization = `Bearer ${keyStandIn}`
}

/** The formats, by the address that asks in them. */
const names: Readonly<Record<Wire, string>> = {
  chat: 'POST /v1/chat/completions',
  responses: 'POST /v1/responses',
  messages: 'POST /v1/messages',
  gemini: 'POST /v1beta/models/MODEL:generateContent',
}

const isOf = (below: string, wire: Wire) => 'wire' in pathAsked(below, '', [wire])

/** Measures the requests of a role, each by a meter of its own, since each is an ask. */
function relayMeter(
  role: string,
  { price, ask, refusals }: Pick<RelayParts, 'ask'> & { price: Prices; refusals: Refusals },
): Pick<Meter, 'admit'> {
  return {
    admit: (body, gone, end = () => {}) =>
      new Promise((resolve) => {
        const expected = expectedTokens(body)
        const send = (signal: AbortSignal) =>
          new Promise<AgentReply>((answer) => {
            if (gone.aborted || signal.aborted) {
              resolve(undefined)
              return answer(leftBefore)
            }
            // Who asks no longer waits for it.
            signal.addEventListener('abort', end, { once: true })
            resolve((path) => recordReply(path, expected, { price, tools: refusals.tools }, answer))
          })
        const use = { tokens: sum(expected.input, expected.output) ?? 0, costUsd: price(expected).costUsd }
        const request = { role, body: body.toString(), expected: use, gone }
        ask(request, send).then(
          () => resolve(undefined),
          (error: Error) => resolve({ refused: error.message }),
        )
      }),
  }
}

const leftBefore: AgentReply = {
  text: '',
  tokens: { input: 0, output: 0, cached: 0 },
  costUsd: 0,
  durationMs: 0,
  error: { reason: 'request', message: 'the program closed the connection before its request was sent' },
}
