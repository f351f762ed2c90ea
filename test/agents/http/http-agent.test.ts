import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { agentContract } from '../../helpers/agents/agent-contract.ts'
import { agentRequest, answerTask } from '../../helpers/agents/agent-request.ts'
import {
  agentAt,
  agents,
  counted,
  exchange,
  failing,
  hello,
  key,
  serve,
} from '../../helpers/agents/http-agents.ts'

describe.each(agents)('%s', (name) => {
  describe('keeps to the contract', () => {
    agentContract({
      create: async () => agentAt(name, (await serve([{ ...hello, always: true }])).url),
      task: answerTask(),
      deterministic: false,
    })
  })

  it('returns the text without the thinking, and the tokens as the server counts them', async () => {
    const { reply, server } = await exchange(name, [hello])
    expect(reply).toMatchObject({ text: 'Hello, world', tokens: { input: 1000, output: 50, cached: 300 } })
    expect(reply.tokens.reasoning).toBe(20)
    expect(reply.error).toBeUndefined()
    expect(reply.usage).toBeDefined()
    expect(server.log).toMatchObject([{ usage: counted, reported: true, stream: true }])
  })

  it.each([
    ['a wrong key', 401, 'key'],
    ['no permission', 403, 'key'],
    ['a wrong request', 400, 'request'],
    ['an unknown model', 404, 'not-found'],
    ['an account without money', 402, 'quota'],
    ['a rate limit', 429, 'quota'],
    ['an overloaded server', 529, 'server'],
    ['a broken server', 500, 'server'],
    ['a gateway without a server', 503, 'server'],
  ])(
    'reports %s (status %i) as %s after a single request, which costs nothing',
    async (_, status, reason) => {
      const { reply, server } = await exchange(name, [failing({ kind: 'status', status })])
      expect(reply.error).toEqual({ reason, message: `${status}: status ${status} on demand` })
      expect(reply).toMatchObject({ text: '', tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0 })
      expect(reply).not.toHaveProperty('costSource')
      expect(server.log).toHaveLength(1)
    },
  )

  it('distinguishes a prompt that is too long from other wrong requests', async () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum'
    const { reply } = await exchange(name, [failing({ kind: 'status', status: 400, message })])
    expect(reply.error?.reason).toBe('context-overflow')
  })

  it('reports how long the provider asks callers to wait', async () => {
    const { reply } = await exchange(name, [failing({ kind: 'status', status: 429, retryAfter: '7' })])
    expect(reply.error).toMatchObject({ reason: 'quota', retryAfterMs: 7000 })
  })

  it('keeps the text of a stream that was cut, with unreported tokens', async () => {
    const { reply, server } = await exchange(name, [failing({ kind: 'cut' })])
    expect('Hello, world'.startsWith(reply.text)).toBe(true)
    expect(reply.error?.reason).toBe('network')
    expect(reply.tokens).toEqual({ input: null, output: null, cached: null })
    expect(reply.costUsd).toBeNull()
    expect(server.log).toMatchObject([{ reported: false }])
  })

  it('reports a connection that closes before the reply as a network error', async () => {
    const { reply } = await exchange(name, [failing({ kind: 'cut', early: true })])
    expect(reply.error?.reason).toBe('network')
  })

  it('reports an error inside the stream as an error, with unreported tokens', async () => {
    const { reply } = await exchange(name, [failing({ kind: 'error-event' })])
    expect(reply.error).toBeDefined()
    expect(['quota', 'server', 'network']).toContain(reply.error?.reason)
    expect(reply.tokens.input).toBeNull()
  })

  it('reports a reply with an unreadable event as an error, with the tokens that the server counts', async () => {
    const { reply } = await exchange(name, [failing({ kind: 'malformed' })])
    expect(reply.error?.reason).toBe('server')
    expect(reply.tokens).toMatchObject({ input: 1000, output: 50 })
  })

  it('returns an empty reply as it is, without an error', async () => {
    const { reply } = await exchange(name, [{ usage: counted }])
    expect(reply).toMatchObject({ text: '', tokens: { input: 1000, output: 50 } })
    expect(reply.error).toBeUndefined()
  })

  it('reports a refusal with its cost', async () => {
    const { reply } = await exchange(name, [{ text: 'I will not.', end: 'refusal', usage: counted }])
    expect(reply.error?.reason).toBe('refusal')
    expect(reply.tokens.input).toBe(1000)
  })

  it('accepts a reply that is cut at the output limit', async () => {
    const { reply, server } = await exchange(name, [{ ...hello, end: 'length' }], { maxOutput: 77 })
    expect(reply.error).toBeUndefined()
    expect(JSON.stringify(server.log[0]?.body)).toContain('77')
  })

  it('ends the call and its socket at the time limit', async () => {
    const { reply, server } = await exchange(name, [failing({ kind: 'hang' })], { timeoutMs: 400 })
    expect(reply.error).toEqual({ reason: 'timeout', message: 'no whole reply in 400 ms' })
    // A server that hangs logs a request when its socket closes.
    await expect.poll(() => server.log).toHaveLength(1)
  })

  it('keeps the text so far of a reply that was too slow', async () => {
    const { reply } = await exchange(name, [failing({ kind: 'slow', ms: 60_000 })], { timeoutMs: 300 })
    expect(reply.error?.reason).toBe('timeout')
    expect(reply.tokens.input).toBeNull()
  })

  it('rejects and ends its socket when the run is stopped', async () => {
    const server = await serve([failing({ kind: 'hang' })])
    const agent = await agentAt(name, server.url)
    const stop = new AbortController()
    const asked = agent.ask(agentRequest(), stop.signal)
    const settled = expect(asked).rejects.toThrow('stopped')
    await expect.poll(() => server.asked()).toBe(1)
    stop.abort(new Error('stopped'))
    await settled
    await expect.poll(() => server.log).toHaveLength(1)
  })

  it('sends the trial’s mark, the system prompt, the session’s turns and the prompt, in this order', async () => {
    const { server } = await exchange(name, [hello], {
      system: 'Be short.',
      session: 's',
      turns: [{ prompt: 'one', reply: 'uno' }],
      prompt: 'two',
    })
    const { body } = server.log[0] as { body: unknown }
    const sent = JSON.stringify(body)
    expect(sent).toMatch(/\[[0-9a-f]{24}\]\\nBe short\./)
    const order = ['Be short.', 'one', 'uno', 'two'].map((text) => sent.indexOf(`${text}"`))
    if (!name.startsWith('anthropic'))
      expect(order.slice(1)).toEqual([...order.slice(1)].sort((a, b) => a - b))
    expect(order.every((at) => at > 0)).toBe(true)
  })

  it('begins all prompts of a trial alike, and those of another trial differently', async () => {
    const server = await serve([{ ...hello, always: true }])
    const agent = await agentAt(name, server.url)
    const marks: (string | undefined)[] = []
    for (const id of ['a', 'a', 'b']) {
      await agent.ask(agentRequest({ trial: { id } }), new AbortController().signal)
      marks.push(/\[[0-9a-f]{24}\]/.exec(JSON.stringify(server.log.at(-1)?.body))?.[0])
    }
    expect(marks[0]).toBeDefined()
    expect(marks[1]).toBe(marks[0])
    expect(marks[2]).not.toBe(marks[0])
  })

  it('sets only what the ask names: no temperature, seed, tools or format', async () => {
    const { server } = await exchange(name, [hello], { schema: { type: 'object' } })
    const sent = JSON.stringify(server.log[0]?.body)
    expect(sent).not.toMatch(/temperature|top_?p|"seed"|"tools"|response_format|json_schema|responseSchema/i)
  })

  it('sends the key to the server and never shows it in a reply', async () => {
    const message = `Incorrect API key ${key} at https://me:${key}@host/v1?key=${key}`
    const { reply, server } = await exchange(name, [failing({ kind: 'status', status: 401, message })])
    expect(JSON.stringify(server.log[0]?.headers)).toMatch(
      /"(authorization|x-api-key|x-goog-api-key)":"<\d+ /,
    )
    expect(JSON.stringify(server.log)).not.toContain(key)
    expect(reply.error?.message).toContain('Incorrect API key')
    expect(JSON.stringify(reply)).not.toContain(key)
    expect(JSON.stringify(reply)).not.toContain('me:')
  })

  it('passes prompts of 200 KB with every kind of text, and replies of 5 MB, unchanged', async () => {
    const odd = `"'$(touch x)\`\n\r\t\u0000 ${'é😀'.repeat(25_000)}`
    const long = 'x'.repeat(5_000_000)
    const { reply, server } = await exchange(name, [{ text: long }], { prompt: odd })
    expect(reply.text === long).toBe(true)
    expect(JSON.stringify(server.log[0]?.body)).toContain(JSON.stringify(odd).slice(1, -1))
  })
})

it('openai-compatible reads a stream that its server compresses', async () => {
  const chunk = { id: '1', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    response.end(gzipSync(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = await agentAt('openai-compatible:local-model', url)
  const reply = await agent.ask(agentRequest(), new AbortController().signal)
  server.close()
  expect(reply.error).toBeUndefined()
  expect(reply.text).toBe('Hello')
})
