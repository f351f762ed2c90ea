import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent, AgentReply, ToolAnswer, ToolTurn } from '../../../src/agents/agent.ts'
import { parseProfile } from '../../../src/agents/simulated/load-profile.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import type { Profile } from '../../../src/schema/agent/profile.ts'
import type { ToolCall } from '../../../src/schema/tool/tool-call.ts'
import { estimateTokens } from '../../../src/text/token-estimate.ts'
import type { Wanted } from '../../helpers/agents/agent-request.ts'
import {
  answer,
  ask,
  code,
  isRight,
  logistic,
  near,
  simulated,
} from '../../helpers/agents/simulated-agent.ts'

const definition = (name: string, properties: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
})
const definitions = ['list', 'read', 'write', 'check', 'memory_store', 'memory_recall'].map((name) =>
  definition(name),
)
const server = definition('words__find', {
  word: { type: 'string' },
  most: { type: 'integer', minimum: 2 },
})

type Answer = (call: ToolCall) => Partial<ToolAnswer> | undefined
const using = (tools: Partial<NonNullable<Profile['tools']>>): Partial<Profile> => ({
  tools: { turns: 3, parallel: 0, wrong: 0, gain: {}, ...tools },
})

/** Asks until the agent answers; `say` gives the results of its calls. */
async function askWithTools(
  agent: Agent,
  {
    tools = definitions,
    say = () => undefined,
    ...wanted
  }: Omit<Wanted, 'tools'> & { tools?: typeof definitions; say?: Answer } = {},
  task = answer,
) {
  const turns: ToolTurn[] = []
  const replies: AgentReply[] = []
  for (;;) {
    const key = `#0.${turns.length + 1}`
    const request = {
      ...wanted,
      tools: { definitions: tools, turns: [...turns], mustAnswer: false },
      trial: { ...wanted.trial, key },
    }
    const reply = await ask(agent, request, task)
    replies.push(reply)
    if (!reply.toolCalls) return { turns, replies, reply, calls: turns.flatMap(({ calls }) => calls) }
    const results = reply.toolCalls.map((call) => ({
      id: call.id,
      name: call.name,
      text: call.name === 'check' ? '2 of 2 checks passed.' : '> found',
      isError: false,
      ...say(call),
    }))
    turns.push({ text: reply.text, calls: reply.toolCalls, results })
  }
}

const epochs = async <Value>(count: number, each: (epoch: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, i) => each(i + 1)))

describe('a simulated agent with tools', () => {
  it('answers like one without where its profile says nothing of tools, or no turns', async () => {
    const bare = await ask(simulated(), { trial: { key: '#0' } })
    for (const agent of [simulated(), simulated(using({ turns: 0 }))]) {
      const { reply, replies } = await askWithTools(agent)
      expect(replies).toHaveLength(1)
      expect(reply).toMatchObject({ text: bare.text, durationMs: bare.durationMs })
    }
  })

  it('calls in as many turns as its profile says, on average', async () => {
    const agent = simulated(using({ turns: 1 }))
    const all = await epochs(400, (epoch) => askWithTools(agent, { trial: { epoch } }))
    const mean = all.reduce((sum, { turns }) => sum + turns.length, 0) / all.length
    // Each turn is followed by another with probability 1/2; five calls are all that it can make here.
    const expected = [1, 2, 3, 4, 5].reduce((sum, n) => sum + 0.5 ** n, 0)
    expect(Math.abs(mean - expected)).toBeLessThan(0.25)
    expect(all.some(({ turns }) => turns.length === 0)).toBe(true)
  })

  it('makes several calls in the share of turns that its profile says, each with an id of its own', async () => {
    const agent = simulated(using({ turns: 20, parallel: 0.5 }))
    const files = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }
    const all = await epochs(100, (epoch) => askWithTools(agent, { files, trial: { epoch } }, answer))
    const first = all.flatMap(({ turns }) => turns.slice(0, 1))
    const several = first.filter(({ calls }) => calls.length > 1).length / first.length
    expect(Math.abs(several - 0.5)).toBeLessThan(near(0.5, first.length))
    for (const { calls } of all) expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  })

  it('uses what it is given, once each, recalls before it stores, and checks what it wrote', async () => {
    const agent = simulated(using({ turns: 1000 }))
    const { calls } = await askWithTools(agent, { tools: [...definitions, server] }, code)
    const names = calls.map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set([...definitions.map(({ name }) => name), 'words__find']))
    expect(names.indexOf('memory_recall')).toBeLessThan(names.indexOf('memory_store'))
    expect(names.indexOf('write')).toBeLessThan(names.indexOf('check'))
    expect(new Set(calls.map((call) => `${call.name} ${call.arguments}`)).size).toBe(calls.length)
    const found = calls.find(({ name }) => name === 'words__find')
    expect(JSON.parse(found?.arguments ?? '')).toEqual({ word: expect.any(String), most: expect.any(Number) })
    expect(found?.arguments).not.toMatch(/\\ue000|\uE000/)
  })

  it('calls nothing in its last turn, nor when it repairs a reply', async () => {
    const agent = simulated(using({ turns: 1000 }))
    const tools = { definitions, turns: [], mustAnswer: true }
    expect(await ask(agent, { tools })).not.toHaveProperty('toolCalls')
    const repair = { tools: { ...tools, mustAnswer: false }, repair: true, attempt: 2 }
    expect(await ask(agent, repair)).not.toHaveProperty('toolCalls')
  })

  it('makes the same calls in a further attempt, and in another process', async () => {
    const tools = { definitions, turns: [], mustAnswer: false }
    const calls = async (attempt: number) =>
      epochs(
        20,
        async (epoch) => (await ask(simulated(using({})), { tools, attempt, trial: { epoch } })).toolCalls,
      )
    expect(await calls(2)).toEqual(await calls(1))
    expect((await calls(1)).some((one) => one)).toBe(true)
  })

  it('goes wrong in the share of calls that its profile says, in each of the ways, and tries each call twice at most', async () => {
    const wrong = (call: ToolCall) => {
      let args: unknown
      try {
        args = JSON.parse(call.arguments)
      } catch {
        return 'invalid JSON'
      }
      const { path = '', unknown_argument } = args as { path?: string; unknown_argument?: boolean }
      if (!definitions.some(({ name }) => name === call.name)) return 'unknown tool'
      if (unknown_argument) return 'unknown argument'
      return /^\/|\.\./.test(path) ? 'outside' : undefined
    }
    const say = (call: ToolCall) => (wrong(call) ? { isError: true } : undefined)
    const some = simulated(using({ turns: 3, wrong: 0.3 }))
    const all = await epochs(150, (epoch) => askWithTools(some, { say, trial: { epoch } }, code))
    const calls = all.flatMap((one) => one.calls.map(wrong))
    const share = calls.filter((one) => one).length / calls.length
    expect(Math.abs(share - 0.3)).toBeLessThan(near(0.3, calls.length))
    expect(new Set(calls)).toEqual(
      new Set([undefined, 'invalid JSON', 'unknown tool', 'unknown argument', 'outside']),
    )
    const broken = await askWithTools(simulated(using({ turns: 1000 })), { say: () => ({ isError: true }) })
    const counts = new Map<string, number>()
    for (const { name, arguments: args } of broken.calls)
      counts.set(name + args, (counts.get(name + args) ?? 0) + 1)
    expect(Math.max(...counts.values())).toBe(2)
  })

  it('counts definitions, calls and results as input, and calls as output', async () => {
    const { replies, turns } = await askWithTools(simulated(using({ turns: 1000 })), {
      say: () => ({ text: 'x'.repeat(4_000) }),
    })
    const definitionTokens = estimateTokens(JSON.stringify(definitions))
    const bare = (await ask(simulated(), {})).tokens.input as number
    const [first, second] = replies
    expect(first?.tokens.input).toBe(bare + definitionTokens)
    expect((second?.tokens.input as number) - (first?.tokens.input as number)).toBeGreaterThan(1_000)
    const [call] = turns[0]?.calls ?? []
    expect(first?.tokens.output).toBeGreaterThan(estimateTokens(call?.arguments ?? ''))
    expect(first?.costUsd).toBeGreaterThan(0)
  })
})

describe('the gain of tools', () => {
  const gain = { read: 0.5, check: 0.7, memory_recall: 1, mcp: 0.25, words__find: 2 }
  const rate = async (profile: Partial<Profile>, turns: ToolTurn[]) => {
    const agent = simulated(profile)
    let right = 0
    for (let epoch = 1; epoch <= 2_000; epoch++) {
      const key = `#0.${turns.length + 1}`
      const tools = { definitions, turns, mustAnswer: true }
      if (isRight(await ask(agent, { tools, trial: { epoch, key } }))) right++
    }
    return right / 2_000
  }
  const turn = (...results: [name: string, isError?: boolean, text?: string][]): ToolTurn => ({
    text: '',
    calls: results.map(([name], i) => ({ id: `${i}`, name, arguments: '{}' })),
    results: results.map(
      ([name, isError = false, text = name === 'check' ? '1 of 2 checks passed.' : '> found'], i) => ({
        id: `${i}`,
        name,
        text,
        isError,
      }),
    ),
  })

  it.each<[string, ToolTurn[], number]>([
    ['nothing was called', [], 0],
    ['one tool was used', [turn(['read'])], 0.5],
    ['one tool was used twice, which counts once', [turn(['read']), turn(['read'], ['read'])], 0.5],
    ['several were used', [turn(['read'], ['check'])], 1.2],
    ['a call went wrong', [turn(['read', true], ['check'])], 0.7],
    ['a recall found something', [turn(['memory_recall'])], 1],
    ['a recall found nothing', [turn(['memory_recall', false, 'There are no notes.'])], 0],
    ['a function of a server was used', [turn(['other__f'], ['other__g'])], 0.25],
    ['a function was used that the profile names', [turn(['words__find'])], 2],
    ['a tool was used of which the profile says nothing', [turn(['list'])], 0],
  ])('is added where %s', async (_, turns, logits) => {
    expect(Math.abs((await rate(using({ gain }), turns)) - logistic(logits))).toBeLessThan(
      near(logistic(logits), 2_000),
    )
  })

  it('is none without a gain', async () => {
    expect(await rate(using({}), [turn(['read'], ['check'])])).toBe(await rate(using({}), []))
  })

  it('names tools that exist, and others are refused by name', () => {
    const text = readFileSync(join(packageRoot(), 'fixtures/profiles/default.yaml'), 'utf8')
    const changed = (key: string) => () =>
      parseProfile(text.replace('memory_recall: 0.25', `${key}: 0.25`), 'p.yaml')
    expect(changed('words__find')().tools?.gain.words__find).toBe(0.25)
    expect(changed('recall')).toThrow(
      /tools\.gain\.recall\] is no tool\. Write read, list, write, check, memory_store/,
    )
  })
})

describe('a simulated agent with the tool of a server', () => {
  const agent = simulated(using({ turns: 1000 }))
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, { $ref: '#' }]))
  it.each<[string, Record<string, unknown>]>([
    ['a pattern of Python', { properties: { a: { type: 'string', pattern: '(?i)^[a-z]+$' } } }],
    ['no properties and a wrong required', { properties: null, required: true }],
    ['properties that are true', { properties: { a: true, b: false, c: null } }],
    ['a tuple', { properties: { a: { type: 'array', items: [{ type: 'string' }], minItems: 3 } } }],
    ['wrong alternatives', { anyOf: {}, oneOf: [], allOf: [null] }],
    ['a reference to itself', { $ref: '#' }],
    ['a reference to itself that is required', { properties: { a: { $ref: '#' } }, required: ['a'] }],
    ['very many references to itself', { properties: wide }],
    ['a list without an end', { properties: { a: { type: 'array', minItems: 1e9 } } }],
    ['a text without an end', { properties: { a: { type: 'string', minLength: 1e12 } } }],
    ['no word at all', { properties: { a: { enum: [] }, b: { $ref: 5 } } }],
    ['a reference elsewhere', { properties: { a: { $ref: 'https://example.org/x#/a' } } }],
  ])('calls it by a schema that has %s', async (_, schema) => {
    const tools = [{ ...server, inputSchema: { type: 'object', ...schema } }] as unknown as typeof definitions
    const { calls } = await askWithTools(agent, { tools }, code)
    expect(calls.map(({ name }) => name)).toContain('words__find')
    for (const call of calls) expect(call.arguments).toMatch(/^\{/)
  })
})

describe('a simulated agent that may write', () => {
  const wrote = (calls: ToolCall[]) =>
    calls.filter(({ name }) => name === 'write').map((call) => JSON.parse(call.arguments))

  it('writes its submission by the tool, and answers without repeating it', async () => {
    const agent = simulated({
      ...using({ turns: 1000 }),
      skills: { produce: 40, judge: 0, summarise: 0, decide: 0 },
    })
    const files: Record<string, string> = { ...code.files }
    const say = ({ name, arguments: args }: ToolCall) => {
      if (name === 'write') files[JSON.parse(args).path] = JSON.parse(args).content
      return undefined
    }
    const { calls, reply } = await askWithTools(agent, { files, say }, code)
    const solution = code.hidden.solution?.files?.['src/sum.mjs']
    expect(wrote(calls)).toEqual([{ path: 'src/sum.mjs', content: solution }])
    expect(reply.text).not.toContain('FILE:')
  })

  it('hands in the right work in its answer where a check helped it after it had written wrong work', async () => {
    const agent = simulated({
      ...using({ turns: 1000, gain: { check: 80 } }),
      skills: { produce: -40, judge: 0, summarise: 0, decide: 0 },
    })
    const { calls, reply } = await askWithTools(agent, {}, code)
    const solution = code.hidden.solution?.files?.['src/sum.mjs'] as string
    expect(wrote(calls)).toHaveLength(1)
    expect(wrote(calls)[0].content).not.toBe(solution)
    expect(reply.text).toContain(solution)
  })

  it('leaves wrong work as it wrote it, and writes nothing for another kind of work or for an answer', async () => {
    const agent = simulated({
      ...using({ turns: 1000 }),
      skills: { produce: -40, judge: 0, summarise: 0, decide: 0 },
    })
    expect((await askWithTools(agent, {}, code)).reply.text).not.toContain('FILE:')
    expect(wrote((await askWithTools(agent, { role: 'auditor', work: 'judge' }, code)).calls)).toEqual([])
    expect(wrote((await askWithTools(agent)).calls)).toEqual([])
  })

  it('decides alike in all turns, so what was right when it was written is right in the end', async () => {
    const agent = simulated(using({ turns: 1000 }))
    const solution = code.hidden.solution?.files?.['src/sum.mjs']
    const outcomes = await epochs(60, async (epoch) => {
      const { calls, reply } = await askWithTools(agent, { trial: { epoch } }, code)
      return [
        wrote(calls)[0]?.content === solution,
        reply.text.includes('FILE:') && !reply.text.includes('never'),
      ]
    })
    expect(outcomes.filter(([right]) => right).length).toBeGreaterThan(10)
    expect(outcomes.filter(([right]) => !right).length).toBeGreaterThan(10)
    // Files of this test stay as they were, so an agent whose work is right shows it again; one whose work is wrong does not.
    for (const [right, shown] of outcomes) expect(shown).toBe(right)
  })
})
