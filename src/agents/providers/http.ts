import type { Family } from '../http/family.ts'
import type { Provider } from '../provider.ts'

/** Makes a provider of a family of models over HTTP. Loads its code with the first agent and the vendor's library later. */
export function httpProvider(family: Family): Provider {
  const { name, summary } = family
  return {
    name,
    reaches: 'model',
    tools: 'called',
    summary,
    model: 'MODEL',
    settings: ['baseUrl', 'keyVariable', 'maxOutput', 'structured', ...family.modelSettings],
    range: family.range,
    create: async (model, { run = '', prices, endpoints, asked }) => {
      const { createHttpAgent } = await import('../http/http-agent.ts')
      return createHttpAgent(family, model, { run, prices, settings: endpoints?.[name], asked })
    },
  }
}
