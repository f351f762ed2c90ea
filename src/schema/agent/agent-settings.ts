import { z } from 'zod'
import { RateLimits } from '../limits.ts'
import { VariableName } from '../variable-name.ts'
import { AgentProgram } from './agent-program.ts'

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

/** Settings of a named agent, besides provider and model. */
export const AgentSetting = z.strictObject({
  baseUrl: z.string().min(1).optional(),
  /** Name of the environment variable that holds the key. */
  keyVariable: VariableName.optional(),
  /** Maximum tokens of a reply, if the ask does not set it. */
  maxOutput: z.int().positive().optional(),
  /** `native`: asks for data use the provider's own structured output, beside the words of the prompt. Default: the words alone. */
  structured: z.literal('native').optional(),
  window: z
    .int()
    .positive()
    .optional()
    .describe(
      'Context window of its model in tokens, for reports of how full it was. Default: that of `program`, else of the price table.',
    ),
  family: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe(
      'Family of its model: reports say which agents of a mix are of one family. Default: as the name of the model tells.',
    ),
  ...ModelSetting.shape,
  /** A user's agent CLI; only for the provider `cli`. */
  program: AgentProgram.optional(),
})
export type AgentSetting = z.infer<typeof AgentSetting>

/** Settings by the agent's name in records: `LABEL=PROVIDER:MODEL`. */
export const AgentSettings = z.record(z.string(), AgentSetting)
export type AgentSettings = z.infer<typeof AgentSettings>

/** Settings of a provider, for all its agents. */
export const ProviderSetting = z.strictObject({
  baseUrl: z.string().min(1).optional(),
  keyVariable: VariableName.optional(),
  /** Its rate limits. */
  limits: RateLimits.optional(),
})
export type ProviderSetting = z.infer<typeof ProviderSetting>
