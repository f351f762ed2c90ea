import type { Provider } from '../provider.ts'

/** Local models of Ollama. */
export const ollama: Provider = {
  name: 'ollama',
  reaches: 'model',
  tools: 'called',
  summary:
    'A local model of Ollama; without a name, models that fit the graphics memory, one for each kind of work.',
  model: '[MODEL]',
  settings: ['baseUrl', 'maxOutput', 'structured', 'temperature', 'seed', 'reasoning', 'providerOptions'],
  range: {
    efforts: ['none', 'low', 'medium', 'high'],
    insteadOfBudget: 'Write an effort: none, low, medium, high; or providerOptions: { think: true }.',
  },
  create: async (model, { run = '', prices, endpoints, asked }) => {
    const { createOllama } = await import('../ollama/ollama-agent.ts')
    return createOllama(model, {
      run,
      prices,
      setting: asked?.setting,
      address: endpoints?.ollama?.baseUrl,
      limits: endpoints?.ollama?.limits,
    })
  },
}
