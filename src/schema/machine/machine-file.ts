import { z } from 'zod'
import { CircuitBreaker } from './breaker.ts'
import { StateName } from './names.ts'
import { MachineState } from './states.ts'

/** Moments at which the orchestrator is asked. */
export const Checkpoint = z.enum([
  'loop_warning',
  'quality_gate_disagree',
  'repeated_retry',
  'timeout_warning',
  'workflow_complete',
])
export type Checkpoint = z.infer<typeof Checkpoint>

const agent = z
  .string()
  .min(1)
  .optional()
  .describe('As after --agents: provider:model, or a name of bench.config.yaml. Default: that of the run.')
const max_messages = z
  .int()
  .min(3)
  .optional()
  .describe('Most messages of its session, with the system prompt and the new prompt; the oldest go first.')
const max_output = z.int().positive().optional().describe('Maximum output tokens of a reply.')

const MachineAgent = z.strictObject({
  agent,
  persona: z.string().min(1).optional().describe('Its system prompt; the prompt where a state names none.'),
  session: z.boolean().default(false).describe('Whether it remembers its earlier turns.'),
  max_messages,
  max_output,
})

const Orchestrator = z.strictObject({
  agent: agent.describe('As for agents; `--agent orchestrator=NAME` sets it for a run.'),
  persona: z.string().min(1).describe('Its system prompt.'),
  session: z.boolean().default(true),
  max_messages,
  max_output,
  checkpoints: z
    .array(Checkpoint)
    .default(['loop_warning'])
    .describe('When it is asked. `loop_warning`, a rule that broke, is always one.'),
})

/** A workflow as a machine of states, as its file says it. */
export const MachineFile = z.strictObject({
  name: StateName,
  description: z.string().min(1).optional(),
  orchestrator: Orchestrator,
  agents: z.record(StateName, MachineAgent),
  personas: z.record(StateName, z.string().min(1)).describe('Markdown files, relative to this file.'),
  states: z.record(StateName, MachineState),
  deliver: z
    .string()
    .min(1)
    .optional()
    .describe('The output that is handed in. Default: what an agent that produces wrote last.'),
  circuit_breaker: CircuitBreaker.prefault({}),
  settings: z
    .strictObject({
      timeout_per_agent: z.number().positive().default(300).describe('In seconds, for each attempt.'),
      retry_count: z.int().min(0).max(10).default(0).describe('Further attempts of an agent that failed.'),
      parallel_fanout: z.boolean().default(true),
    })
    .prefault({}),
})
export type MachineFile = z.infer<typeof MachineFile>
