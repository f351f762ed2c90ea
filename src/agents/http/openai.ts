import { efforts } from '../../schema/agent/agent-settings.ts'
import { servers } from '../vendor.ts'
import { type Family, settingsOf } from './family.ts'

/** OpenAI Responses. */
export const openai: Family = {
  name: 'openai',
  summary: 'A model of OpenAI over HTTP (Responses); its key is in OPENAI_API_KEY.',
  ...servers.openai,
  wires: ['chat', 'responses'],
  keyVariables: ['OPENAI_API_KEY'],
  version: '/v1',
  billedBy: 'openai',
  async load(address) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI(settingsOf(address)).responses(address.model)
  },
  // The Responses API has no seed.
  modelSettings: ['temperature', 'reasoning', 'providerOptions'],
  range: { efforts },
  optionsName: 'openai',
  // The library knows reasoning models by their names, and would drop the effort of any other model.
  reasoningOptions: (reasoning) => ({ reasoningEffort: String(reasoning), forceReasoning: true }),
  // Trials share nothing, so the vendor need not store replies.
  options: { openai: { store: false } },
  strictName: 'openai',
  // By default the vendor makes every argument required.
  strictTools: false,
}
