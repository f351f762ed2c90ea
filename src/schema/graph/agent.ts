import { z } from 'zod'
import { Id } from '../ids.ts'

const tools = z.array(Id).default([])

/** Who answers: a provider, a kind of work, and instructions. */
export const GraphAgent = z.strictObject({
  id: Id.optional().describe('Must equal the key.'),
  provider: Id.optional().describe('Required if there are several providers. Without any, --agents decides.'),
  model: z.string().min(1).optional().describe('Overrides the model of the provider.'),
  work: z
    .enum(['produce', 'judge', 'summarise', 'decide'])
    .default('produce')
    .describe('Its kind of work. `produce` does the task; its files and its answer count.'),
  instructions: z.string().min(1).optional().describe('Its system prompt.'),
  tools: tools.describe('The tools that it may use.'),
  max_output: z.int().positive().optional().describe('Maximum output tokens of a reply.'),
})
export type GraphAgent = z.infer<typeof GraphAgent>

/** A reusable piece of work for an agent. */
export const GraphTask = z.strictObject({
  id: Id.optional().describe('Must equal the key.'),
  agent_ref: Id.describe('The agent that does it.'),
  prompt: z.string().min(1).describe('What the agent is asked to do.'),
  tools: z
    .array(Id)
    .optional()
    .describe('The tools of the agent that it may use here; default: all of them.'),
})
export type GraphTask = z.infer<typeof GraphTask>
