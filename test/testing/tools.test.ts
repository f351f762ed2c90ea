import { expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentRequest, RequestTools } from '../../src/agents/agent.ts'
import { createScripted } from '../../src/agents/scripted.ts'
import { defineStrategy } from '../../src/strategy.ts'
import { callingTools, play, scriptedAgent } from '../../src/testing.ts'
import { UserError } from '../../src/text/errors.ts'
import { agentRequest } from '../helpers/agents/agent-request.ts'

const definition = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }
const tools = (turns: number, mustAnswer = false): RequestTools => ({
  definitions: [definition],
  turns: Array.from({ length: turns }, () => ({ text: '', calls: [], results: [] })),
  mustAnswer,
})
const ask = (agent: Parameters<typeof createScripted>[0], given?: RequestTools) => {
  const request: AgentRequest = { ...agentRequest({}), ...(given && { tools: given }) }
  return createScripted(agent).ask(request, new AbortController().signal)
}
const read = { name: 'read', arguments: { path: 'a.txt' } }

it('the function of a scripted agent may call tools, with arguments as an object or as a text', async () => {
  const script = () => ({
    text: 'I look.',
    toolCalls: [read, { name: 'list' }, { name: 'x', arguments: '{' }],
  })
  const reply = await ask(script, tools(0))
  expect(reply.error).toBeUndefined()
  expect(reply.text).toBe('I look.')
  expect(reply.toolCalls).toEqual([
    { id: 'call-1', name: 'read', arguments: '{"path":"a.txt"}' },
    { id: 'call-2', name: 'list', arguments: '{}' },
    { id: 'call-3', name: 'x', arguments: '{' },
  ])
})

it('a scripted agent that calls a tool in an ask without tools fails, and is told why', async () => {
  const { error, toolCalls } = await ask(() => ({ toolCalls: [read] }))
  expect(toolCalls).toBeUndefined()
  expect(error?.message).toMatch(/called read, but this ask has no tools/)
})

it.each([['read'], [[{ arguments: {} }]], [[null]], [{ name: 'read' }]])(
  'calls of tools that are %j are an error of the script',
  async (toolCalls) => {
    const { error } = await ask((() => ({ toolCalls })) as never, tools(0))
    expect(error?.message).toMatch(/toolCalls that are no list/)
  },
)

it('a list among the replies of a scripted agent holds the turns of one ask, and its last is the answer', async () => {
  const script = [[{ toolCalls: [read] }, { toolCalls: [read, read] }, 'done']]
  expect((await ask(script, tools(0))).toolCalls).toHaveLength(1)
  expect((await ask(script, tools(1))).toolCalls).toHaveLength(2)
  for (const given of [tools(2), tools(7), tools(0, true), undefined])
    expect(await ask(script, given)).toMatchObject({ text: 'done' })
})

it('a double calls tools turn by turn, then answers with the next reply, and answers at once without tools', async () => {
  const double = callingTools([[read], [read]], ['one', 'two'])
  expect((await ask(double, tools(0))).toolCalls).toMatchObject([{ name: 'read' }])
  expect((await ask(double, tools(1))).toolCalls).toMatchObject([{ name: 'read' }])
  expect((await ask(double, tools(2))).text).toBe('one')
  expect((await ask(double)).text).toBe('two')
  expect((await ask(double, tools(0, true))).text).toBe('one')
})

const strategy = defineStrategy({
  name: 'asks-twice',
  summary: 'Asks a solver and a judge.',
  roles: { solver: 'produce', judge: 'judge' },
  options: z.object({}),
  async run({ ask }) {
    const answer = await ask('solver', 'Solve it.')
    await ask('judge', 'Judge it.')
    return { answer, stopReason: 'done' }
  },
})

it('a play gives tools to the roles that produce work, and reports each call and its time', async () => {
  const calls = [[read, { name: 'write' }], [{ name: 'add', arguments: { a: 1, b: 2 } }]]
  const double = callingTools(calls, ['the answer', 'fine'])
  const scene = {
    tools: {
      read: 'the text',
      add: ({ a, b }: Readonly<Record<string, unknown>>) => `${Number(a) + Number(b)}`,
    },
  }
  const { answer, asks } = await play(strategy, {}, double, scene)
  expect(answer).toBe('the answer')
  expect(asks[0]?.calls).toEqual([
    { name: 'read', arguments: '{"path":"a.txt"}', result: 'the text', isError: false },
    { name: 'write', arguments: '{}', result: 'There is no tool write. Tools: read, add.', isError: true },
    { name: 'add', arguments: '{"a":1,"b":2}', result: '3', isError: false },
  ])
  expect(asks[1]?.calls).toBeUndefined()
  expect(double.asks.map(({ tools }) => tools?.turns.length)).toEqual([0, 1, 2, undefined])
  expect(double.asks[2]?.tools?.turns[1]?.results).toEqual([
    { id: 'call-1', name: 'add', text: '3', isError: false },
  ])
})

it('a tool of a scene that throws gives the agent its message', async () => {
  const fails = () => {
    throw new Error('no such file')
  }
  const double = callingTools([[read]], ['a', 'b'])
  const { asks } = await play(strategy, {}, double, { tools: { read: fails } })
  expect(asks[0]?.calls).toMatchObject([{ result: 'no such file', isError: true }])
})

it('tools of a scene that nobody could call, and calls that are none, are refused by name', async () => {
  const lines = [['solver', 'x'] as const, ['judge', 'y'] as const]
  const played = play(strategy, {}, lines as never, { tools: { read: 'x' } })
  await expect(played).rejects.toThrow(/scene\.tools.*call no tools/s)
  const wrong = play(strategy, {}, scriptedAgent(['a']), { tools: { read: 5 } as never })
  await expect(wrong).rejects.toThrow(UserError)
  expect(() => callingTools([[{ nam: 'read' }]] as never, ['a'])).toThrow(/callingTools\(\) turns/)
  expect(() => callingTools([[]], ['a'])).toThrow(UserError)
})
