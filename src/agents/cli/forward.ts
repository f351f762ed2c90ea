import {
  type IncomingMessage,
  type RequestListener,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Meter } from './meter.ts'

/** What a CLI is given in place of the key. The gateway puts the key where this stands, so that no program ever holds it. */
export const keyStandIn = 'bench-gateway-key'

/** Headers that belong to one connection. */
const ofConnection = ['connection', 'host', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'upgrade']

/** Replies come as plain text, since the meter reads them. */
const plain = { 'accept-encoding': 'identity' }

/**
 * Answers a CLI's requests by asking its provider, and no other server: path and body as they come, the key in place of
 * its stand-in. A provider that cannot be reached is a 502 to the CLI. What it asks is metered.
 */
export function forwardTo(baseUrl: string, key: string | undefined, meter: Meter): RequestListener {
  const { origin, protocol } = new URL(baseUrl)
  const ask = protocol === 'https:' ? requestHttps : requestHttp
  const withKey = (text: string) => text.replaceAll(keyStandIn, key ?? '')
  return (incoming, response) => {
    // Lists of models and the like are read; whoever asks a model posts.
    const exchange = incoming.method === 'POST' ? meter.begin() : undefined
    const outgoing = ask(
      `${origin}${withKey(incoming.url ?? '/')}`,
      { method: incoming.method, headers: { ...headersOf(incoming, withKey), ...plain } },
      (answer) => {
        exchange?.answered(answer)
        pass(answer, response)
      },
    )
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      exchange?.broke(error.code)
      refuse(response, error)
    })
    response.on('close', () => outgoing.destroy())
    incoming.on('error', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
}

/** The way out of a program that has no provider. */
export const refuseAll: RequestListener = (_, response) => {
  response.writeHead(403, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: 'this agent has no baseUrl', type: 'permission_error' } }))
}

function headersOf(
  { headers }: IncomingMessage,
  withKey: (text: string) => string,
): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.includes(name))
  return Object.fromEntries(
    kept.map(([name, value = '']) => [name, Array.isArray(value) ? value.map(withKey) : withKey(value)]),
  )
}

function pass(answer: IncomingMessage, response: ServerResponse): void {
  const { connection: _, 'keep-alive': __, ...headers } = answer.headers
  response.writeHead(answer.statusCode ?? 502, headers)
  // A reply that breaks off must break off for the CLI as well, after what came of it: programs go on from that.
  const breakOff = () => response.socket?.destroySoon()
  answer.on('error', breakOff)
  answer.on('aborted', breakOff)
  answer.pipe(response)
}

function refuse(response: ServerResponse, { code }: NodeJS.ErrnoException): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const message = `the provider cannot be reached (${code ?? 'no connection'})`
  response.writeHead(502, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'server_error' } }))
}
