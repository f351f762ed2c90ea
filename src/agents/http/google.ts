import { servers } from '../vendor.ts'
import { type Family, settingsOf } from './family.ts'

/** Google's Gemini API. */
export const google: Family = {
  name: 'google',
  summary: 'A Gemini model over HTTP; its key is in GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY.',
  ...servers.google,
  wires: ['gemini'],
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  version: '/v1beta',
  billedBy: 'google',
  modelSettings: ['temperature', 'seed', 'reasoning', 'providerOptions'],
  range: { efforts: ['none', 'minimal', 'low', 'medium', 'high'], leastBudget: 1 },
  optionsName: 'google',
  reasoningOptions(reasoning) {
    if (typeof reasoning === 'number') return { thinkingConfig: { thinkingBudget: reasoning } }
    return { thinkingConfig: reasoning === 'none' ? { thinkingBudget: 0 } : { thinkingLevel: reasoning } }
  },
  async load(address) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    // An empty id stands for none. By default the library makes random ones.
    const settings = { ...settingsOf(address), generateId: () => '' }
    return createGoogleGenerativeAI(settings)(address.model)
  },
}
