import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { createLog, type LogEntry, withoutKey, withoutKeys } from './log.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { reply, sendJson } from './reply.ts'
import { type ModelRequest, play, type Script } from './script.ts'
import type { Body, Wire } from './wire.ts'

/** A model server on loopback. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  url: string
  /** All requests so far, in the order in which they ended. */
  log: readonly LogEntry[]
  /** Requests so far that ask the model, those under way included. */
  asked(): number
  close(): Promise<void>
}

/**
 * Starts a server that speaks Anthropic Messages, OpenAI Responses and Chat Completions, Gemini and Ollama, and says
 * what the script says. A request that the script has no answer for gets status 418.
 */
export async function startModelServer(
  script: Script,
  options: { log?: string; port?: number; ollamaModels?: readonly string[]; keep?: boolean } = {},
): Promise<ModelServer> {
  const wires: readonly Wire[] = [
    anthropic,
    openaiResponses,
    openaiChat,
    gemini,
    ollama(options.ollamaModels ?? ['test:latest']),
  ]
  const answerFor = play(script)
  const log = createLog(options.log)
  let number = 0

  const server = createServer(async (incoming, outgoing) => {
    outgoing.on('error', () => {})
    const url = new URL(incoming.url ?? '/', 'http://loopback')
    const body = await readBody(incoming)
    const method = incoming.method ?? 'GET'
    const entry: LogEntry = {
      number: 0,
      wire: null,
      method,
      path: withoutKey(url),
      headers: withoutKeys(incoming.headers),
      body,
      status: 200,
      usage: null,
      reported: false,
    }
    // A look at a list of models asks nothing, so it is not logged.
    const end = () => {
      if (options.keep !== false && method !== 'GET') log.add(entry)
    }
    const wire = method === 'POST' ? wires.find((wire) => wire.asks(url.pathname)) : undefined
    if (!wire) {
      aside(wires, url, entry, incoming, outgoing)
      return end()
    }
    const request: ModelRequest = { ...wire.read(body, url), number: ++number, body }
    Object.assign(entry, { number, wire: wire.name, model: request.model, stream: request.stream })
    await reply({ wire, request, answer: await answerFor(request), url, outgoing, entry })
    end()
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: log.entries,
    asked: () => number,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Lists of models, counts of tokens, and 404 for what no wire knows. */
function aside(
  wires: readonly Wire[],
  url: URL,
  entry: LogEntry,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  // OpenAI and Anthropic have the same path for their lists; only Anthropic's clients name a version.
  const first = incoming.headers['anthropic-version'] ? 'anthropic' : 'openai-chat'
  const inOrder = [...wires].sort((a, b) => Number(b.name === first) - Number(a.name === first))
  for (const wire of inOrder) {
    const found = wire.aside?.(entry.method, url.pathname, entry.body as Body)
    if (found === undefined) continue
    entry.wire = wire.name
    sendJson(outgoing, 200, found)
    return
  }
  entry.status = url.pathname === '/' ? 200 : 404
  sendJson(outgoing, entry.status, { error: `nobody here speaks ${entry.method} ${url.pathname}` })
}

async function readBody(incoming: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  try {
    return text === '' ? {} : (JSON.parse(text) as Body)
  } catch {
    return { unreadable: text }
  }
}
