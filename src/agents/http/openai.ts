import type { Family } from './family.ts'
import { post } from './post.ts'

/** OpenAI Responses. */
export const openai: Family = {
  name: 'openai',
  summary: 'A model of OpenAI over HTTP (Responses); the key in OPENAI_API_KEY.',
  keyVariables: ['OPENAI_API_KEY'],
  baseUrlVariable: 'OPENAI_BASE_URL',
  baseUrl: 'https://api.openai.com/v1',
  version: '/v1',
  billedBy: 'openai',
  async load({ model, baseUrl, key }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({
      baseURL: baseUrl,
      fetch: post,
      ...(key !== undefined && { apiKey: key }),
    }).responses(model)
  },
  // Trials share nothing, so that the vendor has to keep nothing of them either.
  options: { openai: { store: false } },
}
