import { z } from 'zod'
import { RateLimits } from '../limits.ts'
import { VariableName } from '../variable-name.ts'
import { AgentProgram } from './agent-program.ts'

/** What is set of an agent with a name of its own, beside provider and model. */
export const AgentSetting = z.strictObject({
  baseUrl: z.string().min(1).optional(),
  /** Name of the environment variable that holds the key. */
  keyVariable: VariableName.optional(),
  /** Most tokens of a reply, where the ask names no number. */
  maxOutput: z.int().positive().optional(),
  /** An agent CLI of the user's own; of provider `cli` alone. */
  program: AgentProgram.optional(),
})
export type AgentSetting = z.infer<typeof AgentSetting>

/** By the name under which the agent stands in records: `LABEL=PROVIDER:MODEL`. */
export const AgentSettings = z.record(z.string(), AgentSetting)
export type AgentSettings = z.infer<typeof AgentSettings>

/** What is set of a provider, for all its agents. */
export const ProviderSetting = z.strictObject({
  baseUrl: z.string().min(1).optional(),
  keyVariable: VariableName.optional(),
  /** What it lets through. */
  limits: RateLimits.optional(),
})
export type ProviderSetting = z.infer<typeof ProviderSetting>
