import { z } from 'zod'
import { RateLimits } from '../limits.ts'
import { VariableName } from '../variable-name.ts'
import { AgentProgram } from './agent-program.ts'
import { ModelSetting } from './model-setting.ts'

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
