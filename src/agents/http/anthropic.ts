import { servers } from '../vendor.ts'
import { type Family, settingsOf } from './family.ts'

type Fetch = typeof globalThis.fetch

/**
 * Returns a `fetch` that forbids calls in requests to Anthropic. Its library leaves out the tools instead, and Anthropic refuses
 * calls in the history without them.
 */
const forbidCalls =
  (send: Fetch): Fetch =>
  (input, init) => {
    const body = { ...(JSON.parse(String(init?.body)) as object), tool_choice: { type: 'none' } }
    return send(input, { ...init, body: JSON.stringify(body) })
  }

/** Anthropic Messages. */
export const anthropic: Family = {
  name: 'anthropic',
  summary: 'A model of Anthropic over HTTP; its key is in ANTHROPIC_API_KEY.',
  ...servers.anthropic,
  wires: ['messages'],
  baseUrl: 'https://api.anthropic.com/v1',
  version: '/v1',
  billedBy: 'anthropic',
  // The Messages API has no seed.
  modelSettings: ['temperature', 'reasoning', 'providerOptions'],
  range: { temperature: 1, efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], leastBudget: 1024 },
  optionsName: 'anthropic',
  reasoningOptions(reasoning) {
    if (typeof reasoning === 'number') return { thinking: { type: 'enabled', budgetTokens: reasoning } }
    if (reasoning === 'none') return { thinking: { type: 'disabled' } }
    return { thinking: { type: 'adaptive' }, effort: reasoning }
  },
  async load(address) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const settings = settingsOf(address)
    const model = createAnthropic(settings)(address.model)
    const mute = createAnthropic({ ...settings, fetch: forbidCalls(settings.fetch) })(address.model)
    const stream = model.doStream.bind(model)
    model.doStream = (options) =>
      options.toolChoice?.type === 'none'
        ? mute.doStream({ ...options, toolChoice: undefined })
        : stream(options)
    return model
  },
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
}
