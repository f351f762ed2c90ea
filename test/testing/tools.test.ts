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
  expect(asks[0]?.calls).toMatchSnapshot()
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

const asking = (tools: readonly string[]) =>
  defineStrategy({
    name: 'asks-with-tools',
    summary: 'Asks a judge with tools.',
    roles: { judge: 'judge' },
    options: z.object({}),
    async run({ ask }) {
      return { answer: await ask('judge', 'Judge it.', { tools }), stopReason: 'done' }
    },
  })

it('a play gives an ask that produces no work the tools that it names, by name or by id', async () => {
  const tools = { read: 'x', memory_recall: 'y', units__convert: 'z' }
  const cases = [
    [['read'], ['read']],
    [
      ['workspace', 'memory'],
      ['read', 'memory_recall'],
    ],
    [['units'], ['units__convert']],
    [[], undefined],
  ] as const
  for (const [named, expected] of cases) {
    const double = scriptedAgent(['fine'])
    await play(asking(named), {}, double, { tools })
    expect(double.asks[0]?.tools?.definitions.map(({ name }) => name)).toEqual(expected)
  }
})

it('a play rejects an ask that names a tool that the scene does not have, as a run does', async () => {
  const played = play(asking(['nope']), {}, scriptedAgent(['fine']), { tools: { read: 'x' } })
  await expect(played).rejects.toThrow('[strategy] ask("judge"): the scene has no tool "nope". It has: read.')
  const none = play(asking(['read']), {}, scriptedAgent(['fine']))
  await expect(none).rejects.toThrow('the scene has no tool "read". It has none.')
})

it('a double that never stops calling fails the ask with reason `tools` after 20 turns, in a play and in a run', async () => {
  const calls = Array.from({ length: 40 }, (_, i) => [{ name: 'read', arguments: { path: `${i}.txt` } }])
  const double = callingTools(calls, ['never'])
  const played = play(strategy, {}, double, { tools: { read: 'x' } })
  await expect(played).rejects.toMatchObject({
    name: 'AgentError',
    reason: 'tools',
    message:
      'the double called read in its last turn, after 19 turns with calls, instead of answering (as "solver")',
  })
  expect(double.asks).toHaveLength(20)
  expect(double.asks.at(-1)?.tools?.mustAnswer).toBe(true)
  expect((await ask(callingTools(calls, ['never']), tools(19, true))).toolCalls).toHaveLength(1)
})

it('a play refuses equal calls as a run does, and ends an ask that has no others', async () => {
  const double = callingTools(
    Array.from({ length: 40 }, () => [read]),
    ['never'],
  )
  await expect(play(strategy, {}, double, { tools: { read: 'x' } })).rejects.toMatchObject({
    reason: 'tools',
  })
  expect(double.asks).toHaveLength(6)
  expect(double.asks.at(-1)?.tools?.turns.map(({ results }) => results[0]?.isError)).toEqual([
    ...[false, false],
    ...[true, true, true],
  ])
  expect(double.asks.at(-1)?.tools?.turns[2]?.results[0]?.text).toMatch(
    /^You have called read .* twice before/,
  )
})

it('a play takes the function of a tool for a server with a state: it is called as long as its answers differ', async () => {
  let count = 0
  const counting = callingTools([[read, read, read, read]], ['done', 'fine'])
  const { asks } = await play(strategy, {}, counting, { tools: { read: () => `${++count}` } })
  expect(asks[0]?.calls?.map(({ result }) => result)).toEqual(['1', '2', '3', '4'])
  const polling = callingTools([[read, read, read]], ['done', 'fine'])
  const { asks: polled } = await play(strategy, {}, polling, { tools: { read: () => 'running' } })
  expect(polled[0]?.calls?.map(({ isError }) => isError)).toEqual([false, false, true])
})

it.each([
  ['a number', () => 5],
  ['undefined', () => undefined],
  ['a promise', async () => 'x'],
])('a tool of a scene that returns %s is an error of the test, by name', async (_, returns) => {
  const played = play(strategy, {}, callingTools([[read]], ['a', 'b']), { tools: { read: returns as never } })
  await expect(played).rejects.toThrow(UserError)
  await expect(played).rejects.toThrow(/scene\.tools\.read.*must return a text, got/s)
})
