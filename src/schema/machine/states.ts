import { z } from 'zod'
import { StateName } from './names.ts'

const on_enter = z
  .array(
    z.union([
      z.strictObject({ log: z.string().min(1).describe('A text for the trace.') }),
      z.strictObject({
        validate: z.string().min(1).describe('Outputs that must exist, such as `drafts/*.md`.'),
      }),
      z.strictObject({ generate: z.string().min(1).describe('The file to which the summary is written.') }),
    ]),
  )
  .default([])
  .describe('What happens when the state begins, in order.')

const shared = { description: z.string().min(1).optional(), on_enter }

const input = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .default([])
  .describe('Outputs that its agents read, such as `drafts/*.md`; `task` is the task itself.')

/** A criterion by which agents score what they read, from 1 to 10. */
const scores = z
  .array(z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be a name of small letters, digits and underscores'))
  .min(1)
  .optional()
  .describe('Criteria by which each agent scores each input, from 1 to 10.')

/** Where the machine begins. */
const Initial = z.strictObject({ ...shared, type: z.literal('initial'), next: StateName })

/** Several agents work side by side; nothing is read before all have ended. */
const FanOut = z.strictObject({
  ...shared,
  type: z.literal('fan-out'),
  agents: z.array(z.string().min(1)).min(1),
  persona: z.string().min(1),
  input,
  output: z.string().min(1).describe('The file of each agent; `{agent}` stands for its name.'),
  scores,
  transitions: z.strictObject({
    all_success: StateName,
    partial_success: StateName.optional().describe('Default: as all_success.'),
    all_failure: StateName,
  }),
})

/** One agent works, or a gate decides. */
const Single = z.strictObject({
  ...shared,
  type: z.literal('single'),
  agent: z.string().min(1),
  persona: z.string().min(1).optional().describe("Default: the agent's own."),
  input,
  output: z.string().min(1),
  scores,
  transitions: z.union([
    z.strictObject({ success: StateName, failure: StateName }),
    z.strictObject({ proceed: StateName, retry: StateName, halt: StateName }),
  ]),
})

/** The orchestrator works, in its own session. */
const OrchestratorTask = z.strictObject({
  ...shared,
  type: z.literal('orchestrator-task'),
  persona: z.string().min(1),
  input,
  output: z.string().min(1),
  transitions: z.strictObject({ success: StateName, failure: StateName.optional() }),
})

/** A person looks at the input and decides. */
const HumanApproval = z.strictObject({
  ...shared,
  type: z.literal('human-approval'),
  input,
  prompt: z.string().min(1).optional().describe('The question.'),
  transitions: z.strictObject({ approved: StateName, feedback: StateName, abort: StateName }),
})

/** Where the machine ends. */
const Terminal = z.strictObject({
  ...shared,
  type: z.literal('terminal'),
  error: z.boolean().default(false).describe('Whether the workflow has failed here.'),
})

/** A state of a machine. */
export const MachineState = z.discriminatedUnion('type', [
  Initial,
  FanOut,
  Single,
  OrchestratorTask,
  HumanApproval,
  Terminal,
])
export type MachineState = z.infer<typeof MachineState>
