import { z } from 'zod'

/** How much a model reasons, in the words of the vendors. No vendor takes all of them. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

/** What an agent asks of its model, beside the prompt. Nothing of it is sent unless it is set. */
export const ModelSetting = z.strictObject({
  temperature: z.number().min(0).max(2).optional().describe('Sampling temperature.'),
  seed: z.int().min(0).optional().describe('Seed of the sampling, for servers that take one.'),
  reasoning: z
    .union([z.enum(efforts), z.int().positive()])
    .optional()
    .describe('How much the model reasons: an effort, or a budget in tokens.'),
  providerOptions: z
    .record(z.string(), z.json())
    .optional()
    .describe('Further options of the provider, by their names there.'),
})
export type ModelSetting = z.infer<typeof ModelSetting>

/** The names of the settings, in the order of their text. */
export const modelSettings = Object.keys(ModelSetting.shape) as (keyof ModelSetting)[]

/** Returns the settings that are set as a text: `temperature 0.2, seed 7, reasoning high`; empty if none is. */
export function settingsText(setting: ModelSetting): string {
  return modelSettings
    .flatMap((name) => (setting[name] === undefined ? [] : [`${name} ${valueText(name, setting)}`]))
    .join(', ')
}

function valueText(name: keyof ModelSetting, setting: ModelSetting): string {
  const value = setting[name]
  if (typeof value === 'object') return JSON.stringify(value)
  return name === 'reasoning' && typeof value === 'number' ? `${value} tokens` : String(value)
}
