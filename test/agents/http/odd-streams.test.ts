import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { agentRequest } from '../../helpers/agents/agent-request.ts'
import { callingAgent, toolsWith, turnOf } from '../../helpers/agents/tool-agents.ts'
import { onLoopback } from '../../helpers/servers/loopback.ts'

/** What servers of Chat Completions, Gemini and Ollama really send beside what their documentation says. */
async function ask(agent: string, body: string, contentType = 'text/event-stream', turns = toolsWith()) {
  let sent = ''
  const server = createServer(async (incoming, outgoing) => {
    for await (const part of incoming) sent += part
    outgoing.writeHead(200, { 'content-type': contentType })
    outgoing.end(body)
  })
  const url = await onLoopback(server)
  const caller = await callingAgent(agent, url)
  const reply = await caller.ask(agentRequest({ tools: turns }), new AbortController().signal)
  return { reply, sent }
}

type Delta = Record<string, unknown>

/** A stream of Chat Completions: a chunk for each delta, then the end. */
const chunks = (deltas: readonly Delta[], finish_reason: string | null = 'tool_calls') =>
  [...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason }]
    .map((choice) => `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, ...choice }] })}\n\n`)
    .concat('data: [DONE]\n\n')
    .join('')

const chat = (deltas: readonly Delta[], finish?: string | null) =>
  ask('openai-compatible:m', chunks(deltas, finish))

const read = (path: string) => ({ name: 'read', arguments: JSON.stringify({ path }) })
const callsOf = ({ reply }: Awaited<ReturnType<typeof ask>>) =>
  reply.toolCalls?.map(({ id, arguments: text }) => [id, text])

const twoReads = [
  ['a', '{"path":"1"}'],
  ['b', '{"path":"2"}'],
]

it.each<[string, Delta[], (string | null)?]>([
  [
    'several calls in one delta',
    [
      {
        tool_calls: [
          { index: 0, id: 'a', function: read('1') },
          { index: 1, id: 'b', function: read('2') },
        ],
      },
    ],
  ],
  [
    'no index',
    [{ tool_calls: [{ id: 'a', function: read('1') }] }, { tool_calls: [{ id: 'b', function: read('2') }] }],
  ],
  [
    'the same index for each call, as Ollama does',
    [
      { tool_calls: [{ index: 0, id: 'a', function: read('1') }] },
      { tool_calls: [{ index: 0, id: 'b', function: read('2') }] },
    ],
  ],
  [
    'deltas of two calls in turns',
    [
      { tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '' } }] },
      { tool_calls: [{ index: 1, id: 'b', function: { name: 'read', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"path"' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{"path"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':"1"}' } }] },
      { tool_calls: [{ index: 1, function: { arguments: ':"2"}' } }] },
    ],
  ],
  [
    'null for what is not there',
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: read('1') }],
      },
      {
        content: null,
        tool_calls: [{ index: 1, id: 'b', function: { name: 'read', arguments: null } }],
      },
      { tool_calls: [{ index: 1, id: null, function: { name: null, arguments: '{"path":"2"}' } }] },
    ],
  ],
  [
    'finish reason "stop"',
    [
      {
        tool_calls: [
          { index: 0, id: 'a', function: read('1') },
          { index: 1, id: 'b', function: read('2') },
        ],
      },
    ],
    'stop',
  ],
])('two calls of Chat Completions are read with %s', async (_, deltas, finish) => {
  const asked = await chat(deltas, finish)
  expect(asked.reply.error).toBeUndefined()
  expect(asked.reply.text).toBe('')
  expect(callsOf(asked)).toEqual(twoReads)
})

it('ids that a server leaves out or repeats are made of the call’s place, each time the same', async () => {
  for (const [first, second] of [
    [undefined, undefined],
    ['', ''],
    ['a', 'a'],
  ]) {
    const deltas = [
      { tool_calls: [{ index: 0, id: first, function: read('1') }] },
      { tool_calls: [{ index: 1, id: second, function: read('2') }] },
    ]
    const asked = await chat(deltas)
    expect(callsOf(asked)).toEqual([
      [first || 'call_1_1', '{"path":"1"}'],
      ['call_1_2', '{"path":"2"}'],
    ])
    expect(callsOf(await chat(deltas))).toEqual(callsOf(asked))
  }
})

it('arguments as an object are those of the call', async () => {
  const asked = await chat([
    { tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: { path: '1' } } }] },
  ])
  expect(asked.reply.error).toBeUndefined()
  expect(callsOf(asked)).toEqual([['a', '{"path":"1"}']])
})

it('a finish reason without a call is an answer, and an end without a finish reason is a broken stream', async () => {
  const answer = await chat([{ content: 'It is 42.' }])
  expect(answer.reply).toMatchObject({ text: 'It is 42.' })
  expect(answer.reply).not.toHaveProperty('toolCalls')
  const cut = await chat([{ tool_calls: [{ index: 0, id: 'a', function: read('1') }] }], null)
  expect(cut.reply.error).toBeDefined()
  expect(cut.reply).not.toHaveProperty('toolCalls')
})

it('an end by a broken call is an error of the provider', async () => {
  const { reply } = await chat([{ content: null }], 'error')
  expect(reply.error).toEqual({ reason: 'server', message: 'the provider ended the reply with an error' })
  for (const reason of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL']) {
    const gemini = { candidates: [{ content: { role: 'model', parts: [] }, finishReason: reason }] }
    const asked = await ask('google:gemini-2.5-pro', `data: ${JSON.stringify(gemini)}\n\n`)
    expect(asked.reply.error?.message).toBe(`the provider ended the reply with an error (${reason})`)
  }
})

/** Asks once, and again with the first reply as a turn; returns what the assistant's message then is. */
async function goesBack(deltas: readonly Delta[]) {
  const { reply } = await chat(deltas)
  expect(reply.error).toBeUndefined()
  const turns = toolsWith([turnOf(reply, [])])
  const { sent } = await ask('openai-compatible:m', chunks([{ content: 'Done.' }], 'stop'), undefined, turns)
  const { messages } = JSON.parse(sent) as { messages: { role: string }[] }
  return messages.find(({ role }) => role === 'assistant')
}

it('OpenRouter’s reasoning details go back whole, with their pieces joined', async () => {
  const details = (piece: Delta) => ({ reasoning: 'x', reasoning_details: [piece] })
  const message = await goesBack([
    details({ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', text: 'They want ' }),
    details({ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', text: 'one.' }),
    details({ type: 'reasoning.text', index: 0, text: '', signature: 'c2ln' }),
    details({ type: 'reasoning.encrypted', index: 1, data: 'ZGF0YQ==', id: 'a' }),
    { tool_calls: [{ index: 0, id: 'a', function: read('1') }] },
  ])
  expect(message).toMatchObject({
    reasoning_details: [
      {
        type: 'reasoning.text',
        index: 0,
        format: 'anthropic-claude-v1',
        text: 'They want one.',
        signature: 'c2ln',
      },
      { type: 'reasoning.encrypted', index: 1, data: 'ZGF0YQ==', id: 'a' },
    ],
  })
})

it('Groq and Cerebras get no reasoning back, since they refuse it', async () => {
  const message = await goesBack([
    { reasoning: 'They want one.' },
    { tool_calls: [{ index: 0, id: 'a', function: read('1') }] },
  ])
  expect(JSON.stringify(message)).not.toContain('reasoning')
})

it('Gemini’s signature goes back to a server of Chat Completions where it came from', async () => {
  const extra_content = { google: { thought_signature: 'c2ln' } }
  const message = await goesBack([
    { tool_calls: [{ index: 0, id: 'a', function: read('1'), extra_content }] },
  ])
  expect(message).toMatchObject({ tool_calls: [{ id: 'a', extra_content }] })
})

it('calls of Ollama are read whatever line they are in, with arguments as object or text', async () => {
  const line = (message: object, done = false) => `${JSON.stringify({ model: 'test', message, done })}\n`
  const call = (args: unknown, id?: string) => ({ id, function: { index: 0, name: 'read', arguments: args } })
  const body =
    line({ role: 'assistant', content: 'I look.', tool_calls: [call({ path: '1' }, 'x')] }) +
    line({ role: 'assistant', content: '', tool_calls: [call('{"path":"2"}'), call(undefined)] }) +
    line({ role: 'assistant', content: '' }, true)
  const asked = await ask('ollama:test', body, 'application/x-ndjson')
  expect(asked.reply.text).toBe('I look.')
  expect(callsOf(asked)).toEqual([
    ['x', '{"path":"1"}'],
    ['call_1_2', '{"path":"2"}'],
    ['call_1_3', '{}'],
  ])
  const nameless = line({ tool_calls: [{ function: { arguments: {} } }] }) + line({}, true)
  const broken = await ask('ollama:test', nameless, 'application/x-ndjson')
  expect(broken.reply.error).toEqual({ reason: 'server', message: 'a call in its reply has no name' })
})

it.each([
  ['openai-compatible:m', chunks([{ content: 'so \ud83d' }, { content: '\ude00!' }], 'stop')],
  [
    'ollama:m',
    [{ message: { content: 'so \ud83d' } }, { message: { content: '\ude00!' } }, { done: true }]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  ],
])('%s joins a character that two pieces of the stream share', async (agent, body) => {
  const { reply } = await ask(agent, body, agent.startsWith('ollama') ? 'application/x-ndjson' : undefined)
  expect(reply.text).toBe('so 😀!')
})
