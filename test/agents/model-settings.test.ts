import { describe, expect, it } from 'vitest'
import { claudeCli } from '../../src/agents/cli/claude.ts'
import { codexCli } from '../../src/agents/cli/codex.ts'
import type { CliCall } from '../../src/agents/cli/kind.ts'
import { settingValueProblems } from '../../src/agents/model-settings.ts'
import { createOllama } from '../../src/agents/ollama/ollama-agent.ts'
import { providers } from '../../src/agents/registry.ts'
import type { ModelSetting } from '../../src/schema/agent/agent-settings.ts'
import { agentRequest } from '../helpers/agents/agent-request.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { startModelServer } from '../model-server/server.ts'

const problemsOf = (provider: string, setting: ModelSetting) =>
  settingValueProblems(provider, providers.find(({ name }) => name === provider)?.range ?? {}, setting)

describe('values of settings', () => {
  it.each<[string, ModelSetting, string, string]>(tableOf(import.meta.url, 'doesNot'))(
    '%s does not take %j, and the remedy says what it takes',
    (provider, setting, field, fix) => {
      expect(problemsOf(provider, setting)).toEqual([
        { field, what: expect.any(String), fix: expect.stringContaining(fix) },
      ])
    },
  )

  it.each([
    [{ api_key: 'planted-value-1' }, 'api_key'],
    [{ extra_headers: { 'X-Org': 'planted-value-2' } }, 'extra_headers'],
    [{ provider: { list: [{ accessToken: 'planted-value-3' }] } }, 'provider.list.accessToken'],
    [{ user: 'sk-planted-0123456789' }, 'user'],
  ])('a key in %j is refused, and its value stands in no message', (providerOptions, field) => {
    const problems = problemsOf('openai-compatible', { providerOptions })
    expect(problems.map((problem) => problem.field)).toEqual([`providerOptions.${field}`])
    expect(JSON.stringify(problems)).not.toContain('planted')
  })

  it('ordinary options are no keys', () => {
    const providerOptions = { max_tokens_per_image: 5, provider: { order: ['a'] }, keep_alive: '10m' }
    expect(problemsOf('openai-compatible', { providerOptions })).toEqual([])
  })
})

describe('programs', () => {
  const call: CliCall = { model: 'm', baseUrl: 'http://127.0.0.1:1', contained: true }

  it.each([
    [claudeCli, 'high', ['--effort', 'high']],
    [codexCli, 'xhigh', ['-c', 'model_reasoning_effort="xhigh"']],
  ] as const)('%o gets an effort as an argument', (kind, reasoning, words) => {
    const args = kind.args({ ...call, reasoning }).join('\n')
    expect(args).toContain(words.join('\n'))
    expect(args.replace(`${words.join('\n')}\n`, '')).toBe(kind.args(call).join('\n'))
  })

  it('claude gets a budget in its environment', () => {
    const { MAX_THINKING_TOKENS, ...others } = claudeCli.env({ ...call, reasoning: 4000 })
    expect(MAX_THINKING_TOKENS).toBe('4000')
    expect(others).toEqual(claudeCli.env(call))
    expect(claudeCli.args({ ...call, reasoning: 4000 })).toEqual(claudeCli.args(call))
  })
})

describe('ollama', () => {
  const bodyOf = async (setting?: ModelSetting) => {
    const server = await startModelServer([{ text: 'Hello' }], { ollamaModels: ['test:latest'] })
    const memory = async () => ({ kind: 'nvidia' as const, gib: 8 })
    const agent = createOllama('test', { run: 'run-1', address: server.url, memory, setting })
    await agent.ask(agentRequest(), new AbortController().signal)
    await server.close()
    return server.log.find(({ number }) => number > 0)?.body as Record<string, unknown>
  }

  it.each<[ModelSetting, Record<string, unknown>, Record<string, unknown>]>([
    [{ temperature: 0.2, seed: 7 }, {}, { temperature: 0.2, seed: 7 }],
    [{ reasoning: 'high' }, { think: 'high' }, {}],
    [{ reasoning: 'none' }, { think: false }, {}],
    [{ providerOptions: { think: true, options: { top_k: 5 } } }, { think: true }, { top_k: 5 }],
  ])('gets %j', async (setting, fields, options) => {
    const { options: plainOptions, ...plain } = await bodyOf()
    const { options: sentOptions, ...sent } = await bodyOf(setting)
    expect(sent).toEqual({ ...plain, ...fields })
    expect(sentOptions).toEqual({ ...(plainOptions as object), ...options })
  })
})
