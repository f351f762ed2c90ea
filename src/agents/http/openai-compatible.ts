import { efforts } from '../../schema/agent/agent-settings.ts'
import { servers } from '../vendor.ts'
import { chatExtras } from './chat-extras.ts'
import { type Family, settingsOf } from './family.ts'

/** Other servers with OpenAI's Chat Completions API: OpenRouter, vLLM, LM Studio, llama.cpp. */
export const openaiCompatible: Family = {
  name: 'openai-compatible',
  summary:
    'Any server with a Chat Completions API (OpenRouter, vLLM, LM Studio, llama.cpp), at OPENAI_COMPATIBLE_BASE_URL.',
  ...servers.compatible,
  wires: ['chat'],
  keyOptional: true,
  strictName: 'compatible',
  modelSettings: ['temperature', 'seed', 'reasoning', 'providerOptions'],
  range: {
    efforts,
    insteadOfBudget:
      'Write an effort, or the option of your server, such as providerOptions: { reasoning: { max_tokens: 2000 } } for OpenRouter.',
  },
  optionsName: 'compatible',
  reasoningOptions: (reasoning) => ({ reasoningEffort: String(reasoning) }),
  async load(address) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const settings = {
      ...settingsOf(address),
      name: 'compatible',
      includeUsage: true,
      // Without it the library drops the schema of an agent with `structured: native`.
      supportsStructuredOutputs: true,
    }
    return createOpenAICompatible({ ...settings, metadataExtractor: chatExtras })(address.model)
  },
}
