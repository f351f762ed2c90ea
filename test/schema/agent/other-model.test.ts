import { describe, expect, it } from 'vitest'
import { AgentSetting, type ModelSetting, settingsText } from '../../../src/schema/agent/agent-settings.ts'
import { kinshipOf } from '../../../src/schema/agent/model-name.ts'
import { isOtherModel, modelOfAgent } from '../../../src/schema/agent/other-model.ts'
import { tableOf } from '../../helpers/house/tables.ts'

describe('names of the same model', () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'mayAnswer'))(
    '%s may answer as %s',
    (asked, answered) => {
      expect(isOtherModel(asked, answered)).toBe(false)
    },
  )
})

describe('names of other models', () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'not'))('%s is not %s', (asked, answered) => {
    expect(isOtherModel(asked, answered)).toBe(true)
  })
})

it.each([
  ['openai:gpt-5', 'gpt-5'],
  ['coder=openai-compatible:llama3.1:8b', 'llama3.1:8b'],
  ['opencode-cli', ''],
])('the model of %s is "%s"', (agent, model) => {
  expect(modelOfAgent(agent)).toBe(model)
})

it.each([
  ['anthropic:claude-sonnet-4-5', 'anthropic:claude-sonnet-4-5', 'model'],
  ['judge=anthropic:claude-sonnet-4-5', 'openai-compatible:anthropic/claude-sonnet-4-5', 'model'],
  ['anthropic:claude-sonnet-4-5', 'claude:claude-haiku-4-5', 'family'],
  ['openai:gpt-5', 'codex:gpt-5.1-codex', 'family'],
  ['openai:o3', 'openai:gpt-5', 'family'],
  ['google:gemini-2.5-pro', 'openai-compatible:google/gemini-2.5-flash', 'family'],
  ['ollama:qwen3:8b', 'openai-compatible:qwen/qwen3-32b', 'family'],
  ['openai:gpt-5', 'anthropic:claude-sonnet-4-5', undefined],
  ['ollama:llama3.1', 'ollama:qwen3', undefined],
  ['simulated', 'simulated', undefined],
  ['scripted:judge.mjs', 'scripted:judge.mjs', undefined],
])('%s and %s: %s', (one, other, kinship) => {
  expect(kinshipOf(one, other)).toBe(kinship)
  expect(kinshipOf(other, one)).toBe(kinship)
})

it('a stated family wins over the name of the model, and relates agents whose names tell nothing', () => {
  const stated = { 'openai-compatible:mine': { family: 'Qwen' }, 'ollama:qwen3': { family: 'own' } }
  expect(kinshipOf('openai-compatible:mine', 'openai-compatible:qwen2.5-7b', stated)).toBe('family')
  expect(kinshipOf('openai-compatible:mine', 'ollama:qwen3', stated)).toBeUndefined()
  expect(kinshipOf('openai-compatible:mine', 'ollama:qwen3')).toBeUndefined()
  const simulated = { 'simulated:a': { family: 'f' }, 'simulated:b': { family: 'f' } }
  expect(kinshipOf('simulated:a', 'simulated:b', simulated)).toBe('family')
})

it('the folder of recorded replies is no part of the name of their model', () => {
  expect(kinshipOf('recorded:qwen-7b@../replies', 'recorded:qwen-72b@../replies')).toBe('family')
  expect(kinshipOf('recorded:qwen-7b@../replies', 'recorded:llama-8b@../replies')).toBeUndefined()
})

it.each<[ModelSetting, string]>([
  [{}, ''],
  [{ seed: 7, temperature: 0.2, reasoning: 'high' }, 'temperature 0.2, seed 7, reasoning high'],
  [{ temperature: 0, reasoning: 8000 }, 'temperature 0, reasoning 8000 tokens'],
  [{ providerOptions: { top_k: 5 } }, 'providerOptions {"top_k":5}'],
])('the settings %j read as "%s"', (setting, text) => {
  expect(settingsText(setting)).toBe(text)
})

it.each([
  [{ temperature: -0.1 }],
  [{ temperature: Number.NaN }],
  [{ temperature: '0.2' }],
  [{ seed: 1.5 }],
  [{ seed: -1 }],
  [{ reasoning: 'a lot' }],
  [{ reasoning: 0 }],
  [{ providerOptions: ['top_k'] }],
  [{ providerOptions: { at: new Date() } }],
])('%j are no settings', (setting) => {
  expect(AgentSetting.safeParse(setting).success).toBe(false)
})
