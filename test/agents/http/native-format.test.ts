import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nativeFormatOf } from '../../../src/agents/http/native-format.ts'
import { formatOf } from '../../../src/loop/ask/prompt.ts'
import { agentRequest, type Wanted } from '../../helpers/agents/agent-request.ts'
import { serve } from '../../helpers/agents/http-agents.ts'
import { callingAgent, callingAgents, toolsWith } from '../../helpers/agents/tool-agents.ts'

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
