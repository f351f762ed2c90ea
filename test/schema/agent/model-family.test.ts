import { expect, it } from 'vitest'
import { kinshipOf } from '../../../src/schema/agent/model-name.ts'

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
