import { z } from 'zod'
import { MachineState, StateName } from './states.ts'

/** The hard limits: 50 transitions, an hour, 10 dollars. Nothing overrides them. */
export const HardLimits = z.strictObject({
  transitions: z.int().positive().max(50).default(50),
  time_s: z.number().positive().max(3600).default(3600),
  cost_usd: z.number().positive().max(10).default(10),
})

/** Rules that stop a machine and let its orchestrator decide. */
export const BreakerRule = z.discriminatedUnion('rule', [
  z.strictObject({
    rule: z.literal('state_visits'),
    max: z.int().positive().default(3).describe('Breaks when a state is entered this often.'),
  }),
  z.strictObject({
    rule: z.literal('cycle').describe('Breaks when the last two transitions repeat the two before them.'),
  }),
  z.strictObject({
    rule: z.literal('transitions'),
    max: z.int().positive().default(20).describe('Breaks after this many transitions.'),
  }),
  z.strictObject({
    rule: z.literal('time'),
    max_s: z
      .number()
      .positive()
      .default(1800)
      .describe("Breaks after this time of the trial's clock, in seconds."),
  }),
  z.strictObject({
    rule: z.literal('cost'),
    max_usd: z.number().positive().default(5).describe('Breaks after this spending, in US dollars.'),
  }),
])
export type BreakerRule = z.infer<typeof BreakerRule>

/** The rules of a machine. The first that matches, in this order, is reported. */
export const CircuitBreaker = z.strictObject({
  rules: z
    .array(BreakerRule)
    .default([
      { rule: 'state_visits', max: 3 },
      { rule: 'cycle' },
      { rule: 'transitions', max: 20 },
      { rule: 'time', max_s: 1800 },
      { rule: 'cost', max_usd: 5 },
    ]),
  hard: HardLimits.prefault({}),
})
export type CircuitBreaker = z.infer<typeof CircuitBreaker>

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
      max_messages: max_messages.describe('Most messages of each session whose agent names no number.'),
    })
    .prefault({}),
})
export type MachineFile = z.infer<typeof MachineFile>

/** A persona: the file as the workflow names it, its text and its SHA-256. */
export const Persona = z.object({ file: z.string(), text: z.string(), sha256: z.string() })
export type Persona = z.infer<typeof Persona>

/** A workflow with the texts of its personas: everything that a trial needs. It stands in run.json. */
export const Machine = MachineFile.extend({
  personas: z.record(z.string(), Persona),
  /** SHA-256 of all other fields as canonical JSON. */
  digest: z.string(),
})
export type Machine = z.infer<typeof Machine>

/** Returns the JSON Schema of workflows of states, with which editors complete and check them. */
export function machineJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(MachineFile, { io: 'input', target: 'draft-2020-12' })
  return {
    $schema,
    $id: 'orchestration-bench:machine',
    title: 'Workflow of states of orchestration-bench',
    ...rest,
  }
}
