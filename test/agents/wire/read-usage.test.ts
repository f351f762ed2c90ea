import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/agents/wire/json.ts'
import { tokensFromUsage } from '../../../src/agents/wire/read-usage.ts'

const nothing = { input: null, output: null, cached: null }

describe('usage in OpenAI’s words', () => {
  it.each<[string, Json, object]>([
    ['sums alone', { prompt_tokens: 90, completion_tokens: 12 }, { input: 90, output: 12, cached: null }],
    ['a total alone, of which no parts are made', { total_tokens: 102 }, nothing],
    ['words of Responses', { input_tokens: 90, output_tokens: 12 }, { input: 90, output: 12, cached: null }],
    [
      'details that are null, as vLLM has them',
      {
        prompt_tokens: 90,
        completion_tokens: 12,
        prompt_tokens_details: null,
        completion_tokens_details: null,
      },
      { input: 90, output: 12, cached: null },
    ],
    [
      'details that are 0',
      {
        prompt_tokens: 90,
        completion_tokens: 12,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      { input: 90, output: 12, cached: 0, reasoning: 0 },
    ],
    [
      'DeepSeek’s cache',
      { prompt_tokens: 90, completion_tokens: 12, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 26 },
      { input: 90, output: 12, cached: 64 },
    ],
    ['Moonshot’s cache', { prompt_tokens: 90, completion_tokens: 12, cached_tokens: 64 }, { cached: 64 }],
    [
      'OpenRouter’s cache',
      {
        prompt_tokens: 90,
        completion_tokens: 12,
        prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 40 },
      },
      { input: 90, cached: 30, cacheWrite: 40 },
    ],
    [
      'LiteLLM’s cache',
      {
        prompt_tokens: 90,
        completion_tokens: 12,
        cache_creation_input_tokens: 7,
        cache_read_input_tokens: 60,
      },
      { input: 90, cached: 60, cacheWrite: 7 },
    ],
    [
      'a cache that Responses wrote',
      {
        input_tokens: 90,
        output_tokens: 12,
        total_tokens: 102,
        input_tokens_details: { cached_tokens: 30, cache_write_tokens: 40 },
        output_tokens_details: { reasoning_tokens: 5 },
      },
      { input: 90, output: 12, cached: 30, cacheWrite: 40, reasoning: 5 },
    ],
  ])('is read with %s', (_, usage, expected) => {
    expect(tokensFromUsage(usage)).toMatchObject(expected)
  })

  const counted = (completion: number, total: number | undefined, reasoning?: number, cached?: number) => ({
    prompt_tokens: 50,
    completion_tokens: completion,
    ...(total !== undefined && { total_tokens: total }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  })
  it.each([
    ['inside the output', counted(90, 140, 80), 50, 90],
    ['beside the output, as Grok counts', counted(10, 140, 80), 50, 90],
    ['hidden, which the total tells', counted(10, 140), 50, 90],
    ['beside the output, in no total', counted(10, 60, 80), 50, 90],
    ['inside the output, without a total', counted(90, undefined, 80), 50, 90],
    ['beside the output, without a total', counted(10, undefined, 80), 50, 90],
    ['told, with a total that is too small', counted(90, 20, 80), 50, 90],
    ['absent, while a cache is counted beside the input', counted(10, 1060, undefined, 1000), 1050, 10],
  ])('counts reasoning that is %s', (_, usage, input, output) => {
    expect(tokensFromUsage(usage)).toMatchObject({ input, output })
  })

  it.each([['90'], [-1], [90.5], [null], [{}], [1e300], [1e15]])(
    'has no count in %j, and keeps the others',
    (count) => {
      expect(tokensFromUsage({ prompt_tokens: count, completion_tokens: 12, total_tokens: 102 })).toEqual({
        input: null,
        output: 12,
        cached: null,
      })
    },
  )
})

describe('usage of other formats', () => {
  it.each<[string, Json, object | undefined]>([
    [
      'Anthropic without a cache',
      { input_tokens: 90, output_tokens: 12 },
      { input: 90, output: 12, cached: null },
    ],
    [
      'Anthropic with a cache',
      { input_tokens: 9, cache_read_input_tokens: 60, cache_creation_input_tokens: 21, output_tokens: 12 },
      { input: 90, output: 12, cached: 60, cacheWrite: 21 },
    ],
    [
      'Gemini',
      {
        promptTokenCount: 80,
        toolUsePromptTokenCount: 10,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 12,
        thoughtsTokenCount: 30,
        totalTokenCount: 132,
      },
      { input: 90, output: 42, cached: 40, reasoning: 30 },
    ],
    [
      'Gemini without a cache or thoughts',
      { promptTokenCount: 90, candidatesTokenCount: 12, totalTokenCount: 102 },
      { input: 90, output: 12, cached: null },
    ],
    [
      'Gemini with thoughts alone',
      { promptTokenCount: 90, thoughtsTokenCount: 30, totalTokenCount: 120 },
      { input: 90, output: 30, cached: null, reasoning: 30 },
    ],
    [
      'Gemini with no output',
      { promptTokenCount: 90, totalTokenCount: 90 },
      { input: 90, output: 0, cached: null },
    ],
    ['Gemini with a total alone', { totalTokenCount: 90 }, nothing],
    [
      'Gemini with thoughts among the candidates',
      { promptTokenCount: 90, candidatesTokenCount: 42, thoughtsTokenCount: 30, totalTokenCount: 132 },
      { input: 90, output: 42, cached: null, reasoning: 30 },
    ],
    ['Ollama', { prompt_eval_count: 90, eval_count: 12 }, { input: 90, output: 12, cached: null }],
    ['Ollama with a prompt in its cache', { eval_count: 12 }, { input: null, output: 12, cached: null }],
    [
      'Mistral',
      { prompt_tokens: 90, completion_tokens: 12, num_cached_tokens: 60 },
      { input: 90, output: 12, cached: 60 },
    ],
    [
      'a server with details in the singular',
      { prompt_tokens: 90, completion_tokens: 12, prompt_token_details: { cached_tokens: 60 } },
      { input: 90, output: 12, cached: 60 },
    ],
    [
      'new-api',
      {
        prompt_tokens: 90,
        completion_tokens: 12,
        total_tokens: 102,
        prompt_tokens_details: { cached_tokens: 60, cached_creation_tokens: 21 },
      },
      { input: 90, output: 12, cached: 60, cacheWrite: 21 },
    ],
    [
      'DashScope',
      {
        prompt_tokens: 90,
        completion_tokens: 12,
        prompt_tokens_details: { cached_tokens: 60, cache_creation_input_tokens: 21 },
      },
      { input: 90, output: 12, cached: 60, cacheWrite: 21 },
    ],
    [
      'a server with cache writes by age alone',
      {
        prompt_tokens: 90,
        completion_tokens: 12,
        prompt_tokens_details: {
          cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 1 },
        },
      },
      { input: 90, output: 12, cached: null, cacheWrite: 21, cacheWriteHour: 1 },
    ],
    [
      'Anthropic with a total of a gateway',
      { input_tokens: 30, cache_read_input_tokens: 60, output_tokens: 12, total_tokens: 42 },
      { input: 90, output: 12, cached: 60 },
    ],
    [
      'a server that counts nothing',
      { prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } },
      nothing,
    ],
    [
      'a server that counts its output alone',
      { input_tokens: 0, output_tokens: 12 },
      { ...nothing, output: 12 },
    ],
    ['an unknown server', { tokens: 12 }, undefined],
    ['nobody', {}, undefined],
  ])('is read of %s', (_, usage, expected) => {
    expect(tokensFromUsage(usage)).toEqual(expected)
  })
})
