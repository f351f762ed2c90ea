import type { Family } from './family.ts'
import { post } from './post.ts'

/** Anthropic Messages. */
export const anthropic: Family = {
  name: 'anthropic',
  summary: 'A model of Anthropic over HTTP; the key in ANTHROPIC_API_KEY.',
  keyVariables: ['ANTHROPIC_API_KEY'],
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  baseUrl: 'https://api.anthropic.com/v1',
  version: '/v1',
  billedBy: 'anthropic',
  async load({ model, baseUrl, key }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL: baseUrl, fetch: post, ...(key !== undefined && { apiKey: key }) })(
      model,
    )
  },
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
}
