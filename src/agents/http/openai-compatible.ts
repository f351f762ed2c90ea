import type { Family } from './family.ts'
import { settingsOf } from './settings.ts'

/** Chat Completions as others speak them: OpenRouter, vLLM, LM Studio, llama.cpp. */
export const openaiCompatible: Family = {
  name: 'openai-compatible',
  summary:
    'Any server that speaks Chat Completions (OpenRouter, vLLM, LM Studio, llama.cpp), at OPENAI_COMPATIBLE_BASE_URL.',
  keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
  keyOptional: true,
  baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
  async load(address) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const settings = { ...settingsOf(address), name: 'compatible', includeUsage: true }
    return createOpenAICompatible(settings)(address.model)
  },
}
