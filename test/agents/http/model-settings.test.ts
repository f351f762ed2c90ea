import { describe, expect, it } from 'vitest'
import { families } from '../../../src/agents/http/families.ts'
import type { Family } from '../../../src/agents/http/family.ts'
import { droppedSettings } from '../../../src/agents/http/model-options.ts'
import { providers } from '../../../src/agents/registry.ts'
import type { ModelSetting } from '../../../src/schema/agent/model-setting.ts'
import { agentRequest } from '../../helpers/agents/agent-request.ts'
import { agentAt, agents, hello, serve } from '../../helpers/agents/http-agents.ts'

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
const sent: [string, ModelSetting, Body][] = [
  ['openai:gpt-4.1', { temperature: 0.2 }, { temperature: 0.2 }],
  ['openai:gpt-5', { reasoning: 'high' }, { reasoning: { effort: 'high' } }],
  ['openai:a-new-model', { reasoning: 'low' }, { reasoning: { effort: 'low' } }],
  ['openai:gpt-5', { providerOptions: { serviceTier: 'flex' } }, { service_tier: 'flex', store: false }],
  [
    'openai-compatible:m',
    { temperature: 0, seed: 7, reasoning: 'minimal' },
    { temperature: 0, seed: 7, reasoning_effort: 'minimal' },
  ],
  [
    'openai-compatible:m',
    { providerOptions: { reasoning: { max_tokens: 2000 }, top_k: 5 } },
    { reasoning: { max_tokens: 2000 }, top_k: 5 },
  ],
  ['anthropic:claude-sonnet-4-5', { temperature: 0.2 }, { temperature: 0.2 }],
  [
    'anthropic:claude-sonnet-4-5',
    { reasoning: 2000 },
    { thinking: { type: 'enabled', budget_tokens: 2000 }, max_tokens: 64_000 },
  ],
  [
    'anthropic:claude-opus-4-6',
    { reasoning: 'high' },
    { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  ],
  ['anthropic:claude-opus-4-6', { reasoning: 'none' }, { thinking: { type: 'disabled' } }],
  [
    'google:gemini-2.5-pro',
    { temperature: 0.5, seed: 3, reasoning: 4000 },
    { generationConfig: { temperature: 0.5, seed: 3, thinkingConfig: { thinkingBudget: 4000 } } },
  ],
  [
    'google:gemini-3-pro',
    { reasoning: 'low' },
    { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } },
  ],
  [
    'google:gemini-2.5-flash',
    { reasoning: 'none' },
    { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
  ],
]

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
  ['openai:gpt-5', { providerOptions: { serviceTier: 5 } }, 'make no request: serviceTier: Invalid option'],
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
