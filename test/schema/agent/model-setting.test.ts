import { expect, it } from 'vitest'
import { AgentSetting } from '../../../src/schema/agent/agent-settings.ts'
import { type ModelSetting, settingsText } from '../../../src/schema/agent/model-setting.ts'

it.each<[ModelSetting, string]>([
  [{}, ''],
  [{ seed: 7, temperature: 0.2, reasoning: 'high' }, 'temperature 0.2, seed 7, reasoning high'],
  [{ temperature: 0, reasoning: 8000 }, 'temperature 0, reasoning 8000 tokens'],
  [{ providerOptions: { top_k: 5 } }, 'providerOptions {"top_k":5}'],
])('the settings %j read as "%s"', (setting, text) => {
  expect(settingsText(setting)).toBe(text)
})

it.each([
  [{ temperature: -0.1 }],
  [{ temperature: Number.NaN }],
  [{ temperature: '0.2' }],
  [{ seed: 1.5 }],
  [{ seed: -1 }],
  [{ reasoning: 'a lot' }],
  [{ reasoning: 0 }],
  [{ providerOptions: ['top_k'] }],
  [{ providerOptions: { at: new Date() } }],
])('%j are no settings', (setting) => {
  expect(AgentSetting.safeParse(setting).success).toBe(false)
})
