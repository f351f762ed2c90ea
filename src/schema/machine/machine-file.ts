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

const MachineAgent = z.strictObject({
  agent: z
    .string()
    .min(1)
    .optional()
    .describe('As after --agents: provider:model, or a name of bench.config.yaml. Default: that of the run.'),
  work: z.enum(['produce', 'judge', 'summarise', 'decide']).default('produce').describe('Its kind of work.'),
  persona: z.string().min(1).optional().describe('Its persona where a state names none.'),
  session: z.boolean().default(false).describe('Whether it remembers its earlier turns.'),
  max_messages: z.int().min(2).optional().describe('Most messages of its session; the system prompt stays.'),
  max_output: z.int().positive().optional().describe('Maximum output tokens of a reply.'),
})

const Orchestrator = z.strictObject({
  agent: z
    .string()
    .min(1)
    .optional()
    .describe('As for agents; `--agent orchestrator=NAME` sets it for a run.'),
  persona: z.string().min(1),
  session: z.boolean().default(true),
  checkpoints: z.array(Checkpoint).default(['loop_warning']),
})

/** A workflow as a machine of states. */
export const MachineFile = z.strictObject({
  name: StateName,
  description: z.string().min(1).optional(),
  orchestrator: Orchestrator,
  agents: z.record(StateName, MachineAgent),
  personas: z.record(StateName, z.string().min(1)).describe('Markdown files, relative to this file.'),
  states: z.record(StateName, MachineState),
  circuit_breaker: CircuitBreaker.prefault({}),
  settings: z
    .strictObject({
      timeout_per_agent: z.number().positive().default(300).describe('In seconds.'),
      retry_count: z.int().min(0).max(10).default(0).describe('Further attempts of an agent that failed.'),
      parallel_fanout: z.boolean().default(true),
    })
    .prefault({}),
})
export type MachineFile = z.infer<typeof MachineFile>
