import { describe, expect, it } from 'vitest'
import { AgentSetting, type ModelSetting, settingsText } from '../../../src/schema/agent/agent-settings.ts'
import { kinshipOf } from '../../../src/schema/agent/model-name.ts'
import { isOtherModel, modelOfAgent } from '../../../src/schema/agent/other-model.ts'

describe('names of the same model', () => {
  it.each([
    // Dated and more exact names of vendors
    ['gpt-5', 'gpt-5-2025-08-07'],
    ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
    ['gpt-4-1106-preview', 'gpt-4-1106-preview'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['gemini-2.5-pro', 'models/gemini-2.5-pro'],
    ['gemini-2.0-flash', 'gemini-2.0-flash-001'],
    ['gemini-2.5-flash', 'gemini-2.5-flash-preview-09-2025'],
    ['gemini-2.5-pro', 'gemini-2.5-pro-exp-03-25'],
    ['gemini-flash-latest', 'gemini-2.5-flash-preview-09-2025'],
    ['mistral-large-latest', 'mistral-large-2411'],
    ['deepseek-chat', 'deepseek-v3'],
    ['GPT-5', 'gpt-5'],
    ['gpt-4-vision-preview', 'gpt-4'],
    // Aliases of agent CLIs
    ['sonnet', 'claude-sonnet-4-5-20250929'],
    ['opusplan', 'claude-sonnet-4-5-20250929'],
    ['auto', 'gemini-2.5-pro'],
    // OpenRouter
    ['gpt-5', 'openai/gpt-5'],
    ['openai/gpt-5', 'openai/gpt-5-2025-08-07'],
    ['anthropic/claude-3.5-sonnet', 'anthropic/claude-3-5-sonnet-20241022'],
    ['anthropic/claude-3.7-sonnet:thinking', 'anthropic/claude-3.7-sonnet'],
    ['deepseek/deepseek-chat-v3-0324:free', 'deepseek/deepseek-chat-v3-0324'],
    ['meta-llama/llama-3.3-70b-instruct:nitro', 'meta-llama/llama-3.3-70b-instruct'],
    ['openrouter/auto', 'anthropic/claude-sonnet-4.5'],
    ['@preset/cheap', 'openai/gpt-5-mini'],
    // Azure deployments
    ['my-deployment', 'gpt-4o-2024-08-06'],
    ['gpt-35-turbo', 'gpt-3.5-turbo-0125'],
    ['my-gpt5-deployment', 'gpt-5-2025-08-07'],
    ['wrapper-api-gpt-4o', 'gpt-4o-2024-11-20'],
    ['gpt-4o-eastus2', 'gpt-4o-2024-11-20'],
    // Bedrock, Vertex, LiteLLM
    ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet-20241022'],
    ['meta.llama3-1-70b-instruct-v1:0', 'llama-3.1-70b-instruct'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
    ['gemini-2.5-pro', 'publishers/google/models/gemini-2.5-pro'],
    ['azure/gpt-4.1', 'gpt-4.1-2025-04-14'],
    // Hosts of open models
    ['accounts/fireworks/models/llama-v3p1-70b-instruct', 'llama-3.1-70b-instruct'],
    ['meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo', 'llama-3.1-70b-instruct'],
    ['llama-3.1-8b', 'llama-3.1-8b-instant'],
    ['@cf/meta/llama-3.1-8b-instruct', 'llama-3.1-8b-instruct'],
    ['Qwen/Qwen2.5-7B-Instruct:together', 'Qwen/Qwen2.5-7B-Instruct'],
    // Ollama
    ['llama3.2', 'llama3.2:latest'],
    ['llama3.1', 'llama3.1:8b'],
    ['qwen3:30b', 'qwen3:30b-a3b-instruct-2507-q4_K_M'],
    ['gpt-oss:120b', 'gpt-oss:120b-cloud'],
    // LM Studio, llama.cpp, vLLM
    ['qwen2.5-7b-instruct', 'lmstudio-community/Qwen2.5-7B-Instruct-GGUF/Qwen2.5-7B-Instruct-Q4_K_M.gguf'],
    ['qwen2.5-7b-instruct', 'qwen2.5-7b-instruct:2'],
    ['Qwen3-0.6B-GGUF', 'C:\\Users\\me\\snapshots\\Qwen3-0.6B-Q4_0.gguf'],
    ['llama-3.1-8b', '/models/Meta-Llama-3.1-8B-Instruct.Q8_0.gguf'],
    ['llama-3.1-8b', '/models/ggml-model-f16.gguf'],
    ['gemma-3-4b-it', 'ggml-org/gemma-3-4b-it-GGUF:Q4_K_M'],
    ['qwen3-coder-30b', 'mlx-community/Qwen3-Coder-30B-A3B-Instruct-4bit'],
    ['llama-3.3-70b', 'hugging-quants/Meta-Llama-3.3-70B-Instruct-AWQ-INT4/'],
    ['deepseek-v3', 'deepseek-v3-00001-of-00007.gguf'],
    ['local-model', 'qwen2.5-7b-instruct'],
    ['default', 'mistral-7b'],
    // Nothing was asked for, or nobody told
    ['', 'gpt-5'],
    ['gpt-5', ''],
    ['m', 'm'],
  ])('%s may answer as %s', (asked, answered) => {
    expect(isOtherModel(asked, answered)).toBe(false)
  })
})

describe('names of other models', () => {
  it.each([
    // Sizes and variants
    ['gpt-5', 'gpt-5-mini'],
    ['gpt-5-mini', 'gpt-5'],
    ['gpt-5', 'gpt-5-nano-2025-08-07'],
    ['openai/gpt-5', 'openai/gpt-5-codex'],
    ['llama-3.1-70b', 'llama-3.1-8b'],
    ['llama3.1:70b', 'llama3.1:8b'],
    ['qwen2.5-7b-instruct', 'qwen2.5-coder-7b-instruct'],
    ['qwen2.5-1.5b', 'qwen2.5-0.5b'],
    ['gemini-2.5-pro', 'gemini-2.5-flash'],
    ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
    ['claude-sonnet-4-5', 'claude-haiku-4-5-20251001'],
    ['sonnet', 'claude-opus-4-1-20250805'],
    ['mixtral-8x7b', 'mixtral-8x22b'],
    ['gpt-4', 'gpt-4-turbo'],
    ['grok-4', 'grok-4-fast'],
    ['deepseek-chat', 'deepseek-reasoner'],
    ['qwen3-235b-a22b-instruct-2507', 'qwen3-235b-a22b-thinking-2507'],
    // Versions
    ['gpt-5', 'gpt-5.1'],
    ['gpt-4', 'gpt-4o'],
    ['claude-sonnet-4', 'claude-sonnet-4-5-20250929'],
    ['llama-3-70b', 'llama-3.1-70b'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-08-06'],
    ['deepseek-chat-v3-0324', 'deepseek-chat-v3.1'],
    // Families
    ['o3', 'gpt-4o'],
    ['gpt-oss-20b', 'gpt-4o'],
    ['anthropic/claude-sonnet-4.5', 'openai/gpt-5'],
    ['llama-3.1-8b', '/models/Qwen2.5-7B-Instruct-Q4_K_M.gguf'],
    ['llama-3.1-8b', 'hermes-3-llama-3.1-8b'],
    ['gemini-2.5-flash', 'gemma-3-27b-it'],
    // Names that nobody knows
    ['m', 'other/model-v2'],
    ['model-a', 'model-b'],
    ['my-model-a', 'my-model-b'],
    ['m', 'gpt-4o'],
    ['gpt-4o', 'scripted'],
    ['scripted', 'another-model'],
  ])('%s is not %s', (asked, answered) => {
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
