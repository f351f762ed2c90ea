import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { families } from '../../../src/agents/http/families.ts'
import type { Family } from '../../../src/agents/http/family.ts'
import { droppedSettings } from '../../../src/agents/http/model-options.ts'
import { nativeFormatOf } from '../../../src/agents/http/native-format.ts'
import { providers } from '../../../src/agents/registry.ts'
import { formatOf } from '../../../src/loop/ask/prompt.ts'
import type { ModelSetting } from '../../../src/schema/agent/agent-settings.ts'
import { agentRequest, type Wanted } from '../../helpers/agents/agent-request.ts'
import { agentAt, agents, hello, serve } from '../../helpers/agents/http-agents.ts'
import { callingAgent, callingAgents, toolsWith } from '../../helpers/agents/tool-agents.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const Verdict = z.object({ reason: z.string(), best: z.enum(['A', 'B']) })
const { schema } = formatOf(Verdict)
const data = { reason: 'It is whole.', best: 'B' }
const closedSchema = { ...schema, additionalProperties: false }

/** Where each wire format has the schema, as the vendors document it. */
const places: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['output_config', 'format', 'schema'],
  openai: ['text', 'format', 'schema'],
  'openai-compatible': ['response_format', 'json_schema', 'schema'],
  google: ['generationConfig', 'responseSchema'],
  ollama: ['format'],
}

async function ask(name: string, wanted: Wanted) {
  const server = await serve([{ text: JSON.stringify(data) }])
  const agent = await callingAgent(name, server.url)
  const reply = await agent.ask(agentRequest({ work: 'judge', ...wanted }), new AbortController().signal)
  const body = server.log.filter(({ number }) => number > 0).at(-1)?.body
  return { reply, body }
}

const partOf = (body: unknown, path: readonly string[]) =>
  path.reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], body)

describe.each(callingAgents)('%s', (name) => {
  const place = places[name.slice(0, name.indexOf(':'))] as readonly string[]

  it('sends the schema to the structured output of its provider where its settings say native', async () => {
    const { reply, body } = await ask(name, { schema, structured: 'native' })
    const sent = partOf(body, place) as { properties: Record<string, unknown>; required: readonly string[] }
    expect(Object.keys(sent.properties)).toEqual(['reason', 'best'])
    expect(sent.required).toEqual(['reason', 'best'])
    // Gemini's own form of a schema has no such field.
    if (!name.startsWith('google')) expect(sent).toMatchObject({ additionalProperties: false })
    expect(reply).toMatchObject({ text: JSON.stringify(data), structured: 'native' })
  })

  it.each<[string, Wanted]>([
    ['by default', { schema }],
    ['for text', { structured: 'native' }],
    ['for an ask with tools', { schema, structured: 'native', tools: toolsWith() }],
    ['for data that is no object', { schema: formatOf(z.array(z.string())).schema, structured: 'native' }],
  ])('sends none %s', async (_, wanted) => {
    const { reply, body } = await ask(name, wanted)
    expect(partOf(body, place)).toBeUndefined()
    expect(reply).not.toHaveProperty('structured')
  })
})

describe('a vendor that asks whether a schema is strict', () => {
  it.each([
    ['is told so where each property is required', Verdict, true],
    ['is not where one is optional', z.object({ best: z.string(), note: z.string().optional() }), false],
    ['is not where names are free', z.object({ scores: z.record(z.string(), z.number()) }), false],
  ])('%s', async (_, shape, strict) => {
    const wanted = { schema: formatOf(shape).schema, structured: 'native' } as const
    const { body } = await ask('openai-compatible:m', wanted)
    expect(partOf(body, ['response_format', 'json_schema', 'strict'])).toBe(strict)
    const responses = await ask('openai:gpt-5', wanted)
    expect(partOf(responses.body, ['text', 'format', 'strict'])).toBe(strict)
  })
})

describe('the schema that is sent', () => {
  it('closes objects that name their properties, and leaves others open', () => {
    const request = agentRequest({ schema, structured: 'native' })
    expect(nativeFormatOf(request)?.schema).toEqual(closedSchema)
    const free = formatOf(z.looseObject({ a: z.object({ b: z.string() }) })).schema
    expect(nativeFormatOf(agentRequest({ schema: free, structured: 'native' }))?.schema).toMatchObject({
      additionalProperties: {},
      properties: { a: { additionalProperties: false } },
    })
  })
})

/** What servers say of a schema that they do not take, as users reported it. */
const refused: readonly [agent: string, message: string][] = [
  [
    'openai-compatible:m',
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  ],
  ['openai-compatible:m', "'response_format.json_schema.schema' must be an object"],
  ['openai-compatible:m', 'failed to parse grammar'],
  ['openai:gpt-5', "Unsupported parameter: 'text.format' is not supported with this model."],
  ['anthropic:m', 'output_config.format: Extra inputs are not permitted'],
  ['google:m', 'JSON mode is not enabled for models/gemma-3-27b-it'],
  ['ollama:test', 'invalid JSON schema in format'],
]

describe('a server that refuses the schema', () => {
  const fail = async (name: string, message: string, wanted: Wanted) => {
    const server = await serve([{ failure: { kind: 'status', status: 400, message } }])
    const agent = await callingAgent(name, server.url)
    const request = agentRequest({ work: 'judge', schema, ...wanted })
    return (await agent.ask(request, new AbortController().signal)).error
  }

  it.each(refused)('is told with the remedy by %s: %s', async (name, message) => {
    const error = await fail(name, message, { structured: 'native' })
    expect(error?.reason).toBe('request')
    expect(error?.message).toContain(message)
    expect(error?.message).toMatch(/; leave `structured` out for this agent$/)
    expect((await fail(name, message, {}))?.message).not.toContain('leave `structured`')
  })

  it('is not suspected where the server says something else', async () => {
    const error = await fail('openai-compatible:m', 'model not found', { structured: 'native' })
    expect(error?.message).toBe('400: model not found')
  })
})

type Body = Readonly<Record<string, unknown>>

/** Asks once and returns the body that the server got. */
async function bodyOf(name: string, setting?: ModelSetting): Promise<Body> {
  const server = await serve([hello])
  const agent = await agentAt(name, server.url, { setting })
  const reply = await agent.ask(agentRequest(), new AbortController().signal)
  expect(reply.error).toBeUndefined()
  return server.log.find(({ number }) => number > 0)?.body as Body
}

/** What each family sends for settings, beside what it always sends. */
const sent: [string, ModelSetting, Body][] = tableOf(import.meta.url, 'sent')

describe('settings of a model over HTTP', () => {
  it.each(sent)('%s with %j sends them', async (name, setting, body) => {
    expect(await bodyOf(name, setting)).toMatchObject(body)
  })

  it.each(agents)('%s without settings sends none of their fields', async (name) => {
    const body = JSON.stringify(await bodyOf(name))
    expect(body).not.toMatch(/temperature|seed|reasoning_effort|"reasoning"|thinking|effort/)
    expect(body).toBe(JSON.stringify(await bodyOf(name, { maxOutput: undefined } as ModelSetting)))
  })

  it('the budget of reasoning comes on top of the output limit', async () => {
    const server = await serve([hello])
    const agent = await agentAt('anthropic:claude-sonnet-4-5', server.url, { setting: { reasoning: 2000 } })
    await agent.ask(agentRequest({ maxOutput: 500 }), new AbortController().signal)
    expect(server.log.find(({ number }) => number > 0)?.body).toMatchObject({ max_tokens: 2500 })
  })

  it('every family has a row', () => {
    expect([...new Set(sent.map(([name]) => name.split(':')[0]))].sort()).toEqual(
      families.map(({ name }) => name).sort(),
    )
  })
})

/** What would not reach the model, told without a request. */
const dropped: [string, ModelSetting, string | undefined][] = [
  ['openai:gpt-5', { temperature: 0.2 }, 'temperature would not reach the model: temperature is not'],
  ['openai:gpt-5', { reasoning: 'high', providerOptions: { store: true } }, undefined],
  ['openai:gpt-5', { providerOptions: { no_such: 1 } }, 'providerOptions.no_such changes nothing'],
  [
    'openai:gpt-5',
    { providerOptions: { serviceTier: 5 } },
    'give no valid request: serviceTier: is not auto, flex',
  ],
  [
    'anthropic:claude-sonnet-4-5',
    { temperature: 0.2, reasoning: 2000 },
    'temperature beside reasoning would not reach the model',
  ],
  ['anthropic:claude-opus-5-5', { reasoning: 2000 }, 'budget-based thinking is not supported'],
  ['google:gemini-2.5-pro', { providerOptions: { no_such: 1 } }, 'providerOptions.no_such changes nothing'],
  ['google:gemini-2.5-pro', { temperature: 1, seed: 3, reasoning: 2000 }, undefined],
  ['openai-compatible:m', { temperature: 1, seed: 3, reasoning: 'low' }, undefined],
]

it.each(dropped)('%s with %j: %s', async (name, setting, what) => {
  const [kind = '', model = ''] = name.split(':')
  const family = families.find((one) => one.name === kind) as Family
  const problems = await droppedSettings(family, model, { name: `own=${name}`, setting })
  if (what === undefined) return expect(problems).toEqual([])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ where: `agent own=${name}`, what: expect.stringContaining(what) })
})

it('providers that take settings of models say which', () => {
  const taking = providers.flatMap(({ name, settings = [] }) =>
    settings.includes('reasoning') ? [`${name}: ${settings.includes('seed') ? 'seed' : 'no seed'}`] : [],
  )
  expect(taking).toEqual([
    'anthropic: no seed',
    'openai: no seed',
    'google: seed',
    'openai-compatible: seed',
    'ollama: seed',
    'claude-cli: no seed',
    'codex-cli: no seed',
  ])
})
