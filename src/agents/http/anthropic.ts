import { servers } from '../servers.ts'
import type { Family } from './family.ts'
import { settingsOf } from './settings.ts'

/** Anthropic Messages. */
export const anthropic: Family = {
  name: 'anthropic',
  summary: 'A model of Anthropic over HTTP; its key is in ANTHROPIC_API_KEY.',
  ...servers.anthropic,
  baseUrl: 'https://api.anthropic.com/v1',
  version: '/v1',
  billedBy: 'anthropic',
  async load(address) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic(settingsOf(address))(address.model)
  },
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
}
