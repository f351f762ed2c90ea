import { describe, expect, it } from 'vitest'
import { askWithTools, callingAgents, toolsWith, turnOf, twoCalls } from '../../helpers/agents/tool-agents.ts'

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
