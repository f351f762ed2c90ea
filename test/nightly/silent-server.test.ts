import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { agentRequest } from '../helpers/agents/agent-request.ts'
import { agentAt } from '../helpers/agents/http-agents.ts'
import { callingAgent } from '../helpers/agents/tool-agents.ts'
import { onLoopback } from '../helpers/servers/loopback.ts'

/** Longer than the 300 s after which Node's own `fetch` gives up. */
const silenceMs = 320_000

const chat = `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] })}\n\n`
const line = `${JSON.stringify({ message: { content: 'Hello' }, done: true })}\n`

it.each([
  ['before its headers', false],
  ['between two pieces of a reply', true],
])(
  'a server may be silent for 320 s %s',
  async (_, hasHeaders) => {
    const server = createServer(async (request, response) => {
      request.resume()
      const isChat = request.url?.includes('completions')
      const type = isChat ? 'text/event-stream' : 'application/x-ndjson'
      response.setHeader('content-type', type)
      if (hasHeaders) response.write(isChat ? ': wait\n\n' : '\n')
      if (request.method === 'POST') await wait(silenceMs)
      response.end(isChat ? chat : line)
    })
    server.requestTimeout = 0
    server.timeout = 0
    const url = await onLoopback(server)
    const callers = [await agentAt('openai-compatible:m', url), await callingAgent('ollama:m', url)]
    const replies = await Promise.all(
      callers.map((agent) => agent.ask(agentRequest({ timeoutMs: 600_000 }), new AbortController().signal)),
    )
    for (const reply of replies) expect(reply).toMatchObject({ text: 'Hello', finish: 'stop' })
  },
  400_000,
)
