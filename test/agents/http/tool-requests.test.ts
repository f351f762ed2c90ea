import { describe, expect, it } from 'vitest'
import type { ToolTurn } from '../../../src/agents/agent.ts'
import { refusesTools, withToolName } from '../../../src/agents/http/ask-once.ts'
import { sentEvents } from '../../helpers/agents/sent-events.ts'
import {
  askWithTools,
  callingAgents,
  definitions,
  toolsWith,
  turnOf,
  twoCalls,
} from '../../helpers/agents/tool-agents.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import type { Body } from '../../model-server/wire.ts'

const done = { text: 'Done.' }
const turn: ToolTurn = {
  text: 'I look.',
  calls: [
    { id: 'a1', name: 'read', arguments: '{"path":"x"}' },
    { id: 'a2', name: 'check', arguments: '{}' },
  ],
  results: [
    { id: 'a1', name: 'read', text: 'the text', isError: false },
    { id: 'a2', name: 'check', text: 'no checks here', isError: true },
  ],
}

describe.each(callingAgents)('%s', (name) => {
  it('sends the tools with their schemas, and leaves the choice to the model', async () => {
    const { text } = await askWithTools(name, [done])
    for (const { name: tool, description } of definitions) {
      expect(text).toContain(`"name":"${tool}"`)
      expect(text).toContain(description)
    }
    expect(text).toContain('"path":{"type":"string"}')
    expect(text).not.toMatch(/"tool_?choice":(?!"auto")|"mode":"(ANY|NONE)"/i)
  })

  it('sends the turns so far after the prompt: text, calls, then their results in the same order', async () => {
    const { body } = await askWithTools(name, [done], { tools: toolsWith([turn]), prompt: 'Go.' })
    expect(sentEvents(name, body as Body)).toEqual([
      { kind: 'user', text: expect.stringMatching(/^\[[0-9a-f]{24}\]\nGo\.$/) },
      { kind: 'said', text: 'I look.' },
      { kind: 'call', id: 'a1', name: 'read', input: { path: 'x' } },
      { kind: 'call', id: 'a2', name: 'check', input: {} },
      { kind: 'result', id: 'a1', text: 'the text' },
      { kind: 'result', id: 'a2', text: 'no checks here' },
    ])
  })

  it('gives calls of what is no tool back under names that vendors take', async () => {
    const names = ['functions.read', 'read file', 'é'.repeat(80)]
    const calls = names.map((one, i) => ({ id: `a${i}`, name: one, arguments: '{}' }))
    const results = calls.map((call) => ({ ...call, text: 'There is no such tool.', isError: true }))
    const { body, text } = await askWithTools(name, [done], {
      tools: toolsWith([{ text: '', calls, results }]),
    })
    const sent = sentEvents(name, body as Body).flatMap((event) =>
      event.kind === 'call' ? [event.name] : [],
    )
    expect(sent).toEqual(['_functions_read', '_read_file', '_'.repeat(64)])
    for (const one of names) expect(text).not.toContain(one)
  })

  it('gives arguments of any depth back', async () => {
    const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    const calls = [{ id: 'a1', name: 'read', arguments: deep }]
    const results = [{ id: 'a1', name: 'read', text: 'No.', isError: true }]
    const { reply, body } = await askWithTools(name, [done], {
      tools: toolsWith([{ text: '', calls, results }]),
    })
    expect(reply.error).toBeUndefined()
    expect(sentEvents(name, body as Body)[1]).toMatchObject({ input: { INVALID_JSON: deep } })
  })

  it('forbids calls in the last turn', async () => {
    const { body, text } = await askWithTools(name, [done], { tools: toolsWith([turn], true) })
    // Ollama cannot forbid them, and needs no definitions.
    if (name.startsWith('ollama')) return expect(body).not.toHaveProperty('tools')
    expect(text).toContain('"path":{"type":"string"}')
    expect(text).toMatch(/"tool_choice":"none"|"tool_choice":\{"type":"none"\}|"mode":"NONE"/)
  })

  it('keeps the mark of the trial, the session and the order of its turns', async () => {
    const { body, text } = await askWithTools(name, [done], {
      tools: toolsWith([turn]),
      session: 's',
      turns: [{ prompt: 'one', reply: 'uno' }],
      prompt: 'two',
    })
    const texts = sentEvents(name, body as Body).flatMap((event) => ('text' in event ? [event.text] : []))
    expect(texts.slice(1)).toEqual(['uno', 'two', 'I look.', 'the text', 'no checks here'])
    expect(texts[0]).toMatch(/^\[[0-9a-f]{24}\]\none$/)
    if (name.startsWith('anthropic')) expect(text.match(/cache_control/g)).toHaveLength(1)
  })

  it('gives a turn back so that the server reads what it sent, also after the journal', async () => {
    const thinking = 'They want both.'
    const first = await askWithTools(name, [{ ...twoCalls, thinking, signature: 'c2lnbmVkIQ==' }])
    expect(first.reply.error).toBeUndefined()
    const turns = [turnOf(first.reply, [{ text: 'one' }, { text: 'two' }])]
    const { body } = await askWithTools(name, [done], { tools: toolsWith(turns) })
    const events = sentEvents(name, body as Body).slice(1)
    const ids = first.reply.toolCalls?.map(({ id }) => id)
    expect(events.filter(({ kind }) => kind !== 'reasoning')).toEqual([
      { kind: 'said', text: 'I look.' },
      { kind: 'call', id: ids?.[0], name: 'read', input: { path: 'é/😀.txt' } },
      { kind: 'call', id: ids?.[1], name: 'check', input: {} },
      { kind: 'result', id: ids?.[0], text: 'one' },
      { kind: 'result', id: ids?.[1], text: 'two' },
    ])
  })
})

/** Asks twice, with the first reply as a turn, and returns the second request. */
async function givenBack(name: string, thinking: string, signature?: string) {
  const answer = { ...twoCalls, thinking, ...(signature !== undefined && { signature }) }
  const { reply } = await askWithTools(name, [answer])
  const { body } = await askWithTools(name, [done], { tools: toolsWith([turnOf(reply, [])]) })
  return JSON.stringify(body)
}

describe('what goes back to the provider', () => {
  it('is Anthropic’s signed thinking, also if its text is empty', async () => {
    for (const thinking of ['They want both.', ''])
      expect(await givenBack('anthropic:claude-sonnet-4-5', thinking, 'c2ln')).toContain(
        `{"type":"thinking","thinking":"${thinking}","signature":"c2ln"}`,
      )
  })

  it('is OpenAI’s encrypted reasoning, since nothing is stored there', async () => {
    const sent = await givenBack('openai:gpt-5', 'They want both.', 'encrypted')
    expect(sent).toContain('"encrypted_content":"encrypted"')
    expect(sent).toContain('"store":false')
    expect(await givenBack('openai:gpt-5', 'They want both.')).not.toContain('"type":"reasoning"')
  })

  it('is Gemini’s signature, on the call that had it', async () => {
    const sent = await givenBack('google:gemini-2.5-pro', '', 'c2ln')
    expect(sent.match(/"thoughtSignature":"c2ln"/g)).toHaveLength(1)
    expect(sent).toMatch(/"functionCall":\{[^}]*"path":"é\/😀.txt"\}\},"thoughtSignature":"c2ln"/)
  })

  it('is reasoning under the name under which a server of Chat Completions sent it', async () => {
    expect(await givenBack('openai-compatible:m', 'They want both.')).toContain(
      '"reasoning_content":"They want both."',
    )
    expect(await givenBack('openai-compatible:m', '')).not.toContain('reasoning')
  })

  it('is Ollama’s thinking', async () => {
    expect(await givenBack('ollama:test', 'They want both.')).toContain('"thinking":"They want both."')
  })
})

it('OpenAI and Ollama get properties also for a tool without arguments', async () => {
  const bare = [{ name: 'now', description: 'Tells the time.', inputSchema: { type: 'object' } }]
  for (const agent of ['openai:gpt-5', 'openai-compatible:m', 'ollama:test']) {
    const { text } = await askWithTools(agent, [done], { tools: { ...toolsWith(), definitions: bare } })
    expect(text).toContain('"parameters":{"type":"object","properties":{}}')
  }
})

it('OpenAI gets schemas that it may not change', async () => {
  const { text } = await askWithTools('openai:gpt-5', [done])
  expect(text.match(/"strict":false/g)).toHaveLength(definitions.length)
})

it('Anthropic gets errors of tools marked as errors', async () => {
  const { text } = await askWithTools('anthropic:claude-sonnet-4-5', [done], { tools: toolsWith([turn]) })
  expect(text.match(/"is_error":true/g)).toHaveLength(1)
})

it('Ollama gets the name of the tool beside its result', async () => {
  const { text } = await askWithTools('ollama:test', [done], { tools: toolsWith([turn]) })
  expect(text).toContain('"role":"tool","tool_name":"check"')
})

const argumentsOf = (text: string) => JSON.parse(text) as unknown

describe.each(callingAgents)('%s', (name) => {
  const isOllama = name.startsWith('ollama')
  /** Wires whose arguments are text, which may be anything. */
  const hasTextArguments = !isOllama && !name.startsWith('google')

  it('returns the calls of a turn in their order, with id, name and arguments', async () => {
    const { reply } = await askWithTools(name, [twoCalls])
    expect(reply.error).toBeUndefined()
    expect(reply.text).toBe('I look.')
    expect(reply.toolCalls?.map((call) => [call.name, argumentsOf(call.arguments)])).toEqual([
      ['read', { path: 'é/😀.txt' }],
      ['check', {}],
    ])
    expect(new Set(reply.toolCalls?.map(({ id }) => id)).size).toBe(2)
  })

  it('returns a reply without calls as text, also with tools', async () => {
    const { reply } = await askWithTools(name, [{ text: 'It is 42.' }])
    expect(reply).toMatchObject({ text: 'It is 42.' })
    expect(reply).not.toHaveProperty('toolCalls')
    expect(reply).not.toHaveProperty('message')
  })

  it('leaves a call in the text of a reply as text', async () => {
    const text = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'
    const { reply } = await askWithTools(name, [{ text }])
    expect(reply.text).toBe(text)
    expect(reply.toolCalls).toBeUndefined()
  })

  it('ignores calls of a reply to a request without tools', async () => {
    const { reply } = await askWithTools(name, [twoCalls], { tools: undefined })
    expect(reply.text).toBe('I look.')
    expect(reply).not.toHaveProperty('toolCalls')
  })

  it('returns calls of the last turn too, so that the loop can refuse them', async () => {
    const { reply } = await askWithTools(name, [twoCalls], { tools: toolsWith([], true) })
    expect(reply.toolCalls).toHaveLength(2)
  })

  it('takes calls whatever the reply says about its end', async () => {
    const { reply } = await askWithTools(name, [{ ...twoCalls, end: 'stop' }])
    expect(reply.toolCalls).toHaveLength(2)
  })

  it('makes no call of a reply that was refused', async () => {
    const { reply } = await askWithTools(name, [{ ...twoCalls, end: 'refusal' }])
    if (isOllama) return expect(reply.toolCalls).toHaveLength(2)
    expect(reply.error?.reason).toBe('refusal')
    expect(reply).not.toHaveProperty('toolCalls')
  })

  it.each([
    ['in the middle', { kind: 'cut', at: 0.5 }],
    ['near its end', { kind: 'cut', at: 0.93 }],
    ['as if it were whole', { kind: 'cut', at: 0.7, clean: true }],
  ] as const)('makes no call of a stream that was cut %s', async (_, failure) => {
    const { reply } = await askWithTools(name, [{ ...twoCalls, failure }])
    expect(reply.error?.reason).toMatch(/network|server/)
    expect(reply).not.toHaveProperty('toolCalls')
    expect(reply.tokens).toEqual({ input: null, output: null, cached: null })
  })

  it('makes no call of a stream with an error or an unreadable part', async () => {
    for (const failure of [{ kind: 'error-event' }, { kind: 'malformed' }] as const) {
      const { reply } = await askWithTools(name, [{ ...twoCalls, failure }])
      expect(reply.error).toBeDefined()
      expect(reply).not.toHaveProperty('toolCalls')
    }
  })

  it('makes an id of the place of a call that has none, and keeps ids unique in the ask', async () => {
    const toolCalls = [1, 2].map((n) => ({ name: 'read', input: { path: `${n}` }, id: null }))
    const first = (await askWithTools(name, [{ toolCalls }])).reply
    expect(first.toolCalls?.map(({ id }) => id)).toEqual(['call_1_1', 'call_1_2'])
    const again = (await askWithTools(name, [{ toolCalls }])).reply
    expect(again.toolCalls).toEqual(first.toolCalls)
    const next = await askWithTools(name, [{ toolCalls }], { tools: toolsWith([turnOf(first, [])]) })
    expect(next.reply.toolCalls?.map(({ id }) => id)).toEqual(['call_2_1', 'call_2_2'])
  })

  it('gives calls with equal ids different ones, in one turn and over the turns', async () => {
    const toolCalls = [1, 2, 3].map((n) => ({ name: 'read', input: { path: `${n}` }, id: 'call_0' }))
    const { reply } = await askWithTools(name, [{ toolCalls }])
    expect(reply.toolCalls?.map((call) => argumentsOf(call.arguments))).toEqual([
      { path: '1' },
      { path: '2' },
      { path: '3' },
    ])
    const [first, ...others] = reply.toolCalls?.map(({ id }) => id) ?? []
    expect(first).toBe('call_0')
    expect(new Set([first, ...others]).size).toBe(3)
    const again = await askWithTools(name, [{ toolCalls }])
    expect(again.reply.toolCalls).toEqual(reply.toolCalls)
    const turns = [turnOf(reply, [])]
    const next = await askWithTools(name, [{ toolCalls }], { tools: toolsWith(turns) })
    const ids = [...turns, turnOf(next.reply, [])].flatMap(({ calls }) => calls.map(({ id }) => id))
    expect(new Set(ids).size).toBe(6)
  })

  it('returns empty arguments as an empty object', async () => {
    const { reply } = await askWithTools(name, [{ toolCalls: [{ name: 'check', input: {}, raw: '' }] }])
    expect(reply.toolCalls).toMatchObject([{ name: 'check', arguments: '{}' }])
  })

  it('returns arguments that are no JSON as they are, and gives the turn back with an object', async () => {
    if (!hasTextArguments) return
    const toolCalls = ['{"path": "a', 'nonsense', '["a"]', '7'].map((raw) => ({
      name: 'read',
      input: {},
      raw,
    }))
    const { reply } = await askWithTools(name, [{ toolCalls }])
    expect(reply.toolCalls?.map((call) => call.arguments)).toEqual(['{"path": "a', 'nonsense', '["a"]', '7'])
    const results = toolCalls.map(() => ({ text: 'The arguments are no JSON object.', isError: true }))
    const { reply: next, text } = await askWithTools(name, [{ text: 'Sorry.' }], {
      tools: toolsWith([turnOf(reply, results)]),
    })
    expect(next).toMatchObject({ text: 'Sorry.' })
    for (const raw of ['nonsense', '7'])
      expect(text.replaceAll('\\', '')).toContain(`"INVALID_JSON":"${raw}"`)
  })

  it('keeps the calls before the output limit, and never makes arguments up for the one that it cut', async () => {
    if (!hasTextArguments) return
    for (const raw of ['{"path": "b', '']) {
      const toolCalls = [
        { name: 'read', input: { path: 'a' } },
        { name: 'read', input: {}, raw },
      ]
      const { reply } = await askWithTools(name, [{ toolCalls, end: 'length' }])
      expect(reply.error).toBeUndefined()
      expect(reply.toolCalls?.map((call) => call.arguments)).toEqual(['{"path":"a"}', raw || '{'])
      expect(reply.toolCalls?.map(({ isCut }) => isCut)).toEqual([undefined, true])
    }
  })

  it('reports tokens and cost of a turn like those of any other call', async () => {
    const usage = { input: 1000, cached: 300, output: 50, reasoning: 20 }
    const { reply } = await askWithTools(name, [{ ...twoCalls, usage }])
    expect(reply.tokens).toMatchObject({ input: 1000, output: 50, ...(!isOllama && { cached: 300 }) })
  })

  it('reads calls from a stream in pieces that end inside of characters', async () => {
    for (const pieces of [1, 2, 3]) {
      const { reply } = await askWithTools(name, [{ ...twoCalls, text: 'Ä😀'.repeat(20), pieces }])
      expect(reply.text).toBe('Ä😀'.repeat(20))
      expect(reply.toolCalls?.map((call) => argumentsOf(call.arguments))).toEqual([{ path: 'é/😀.txt' }, {}])
    }
  })
})

describe('named tool', () => {
  const definitions = ['read', 'docs__find'].map((name) => ({ name, description: '', inputSchema: {} }))

  it.each([
    ['400: tools.1.custom.input_schema: JSON schema is invalid', ' (the tool docs__find)'],
    ['400: Invalid value at tools[0].function.parameters', ' (the tool read)'],
    ['400: tools[0].function_declarations[1].parameters.properties: missing field', ' (the tool docs__find)'],
    ["400: Invalid schema for function 'docs__find' in tools[1]", ''],
    ['400: tools.7.custom', ''],
    ['400: messages.1.content', ''],
  ])('a vendor’s message that counts the tools gets the name: %s', (message, added) => {
    expect(withToolName(message, { definitions })).toBe(`${message}${added}`)
  })
})

/** What servers say, as users reported it. */
const refusals: readonly [agent: string, status: number, message: string][] = tableOf(
  import.meta.url,
  'refusals',
)

describe('a server or model that takes no tools', () => {
  it.each(refusals)('is named by %s after status %i: %s', async (agent, status, message) => {
    const { reply } = await askWithTools(agent, [{ failure: { kind: 'status', status, message } }])
    // No retry would help, also after status 500.
    expect(reply.error?.reason).toBe('request')
    const [words] = message.split('https')
    expect(reply.error?.message).toContain(`${agent} takes no tools (its server says "${status}: ${words}`)
    expect(reply.error?.message).toMatch(/; use `--tools none`, or a model or server that takes tools$/)
  })

  it('keeps other errors as they are, also where they mention tools', async () => {
    const messages = [
      'custom.input_schema: JSON schema is invalid',
      'messages: tool_use ids were found without tool_result blocks immediately after',
      'the tool call quota of your plan is used up',
      'overloaded',
    ]
    for (const message of messages) {
      expect(refusesTools(message), message).toBe(false)
      const { reply } = await askWithTools('openai-compatible:m', [
        { failure: { kind: 'status', status: 500, message } },
      ])
      expect(reply.error).toEqual({ reason: 'server', message: `500: ${message}` })
    }
  })

  it('is not suspected when no tools were sent', async () => {
    const failure = { kind: 'status', status: 500, message: 'tools param requires --jinja flag' } as const
    const { reply } = await askWithTools('openai-compatible:m', [{ failure }], { tools: undefined })
    expect(reply.error?.reason).toBe('server')
  })
})
