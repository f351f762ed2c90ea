import { z } from 'zod'

/** What a name must be, as problems say it. */
export const nameRule = 'must be a name of letters, digits, dashes and underscores, and begin with a letter'

/** The name of a state or an agent. */
export const StateName = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/, nameRule)
  .max(64, 'has more than 64 characters')

const on_enter = z
  .array(
    z.union([
      z.strictObject({ log: z.string().min(1).describe('A text for the trace.') }),
      z.strictObject({
        validate: z
          .string()
          .min(1)
          .describe('Outputs that must exist, such as `drafts/*.md`, or `task`; else the state fails.'),
      }),
      z.strictObject({ generate: z.string().min(1).describe('The output that gets a summary of the run.') }),
    ]),
  )
  .default([])
  .describe('What happens when the state begins, in order.')

const shared = { description: z.string().min(1).optional(), on_enter }

/** Outputs by path or pattern, such as `drafts/*.md`. */
const Paths = z.union([z.string().min(1), z.array(z.string().min(1))])

const input = z
  .union([Paths, z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), Paths)])
  .default([])
  .describe(
    'Outputs that its agents read. A name in a template is the key, or else the first folder of the path.',
  )

const work = z
  .enum(['produce', 'judge', 'summarise', 'decide'])
  .optional()
  .describe('What its agents do. Default: judge where the state has scores, else produce.')

/** Criteria by which agents score what they read, from 1 to 10. */
const scores = z
  .array(z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be a name of small letters, digits and underscores'))
  .min(1)
  .optional()
  .describe('Criteria by which each agent scores each input, from 1 to 10.')

/** What states say whose agents work. */
const working = {
  persona: z.string().min(1).optional().describe("Default: the agent's own."),
  work,
  input,
  output: z.string().min(1),
  scores,
}

/** Where the machine begins. */
const Initial = z.strictObject({ ...shared, type: z.literal('initial'), next: StateName })

/** Several agents work side by side; nothing is read before all have ended. */
const FanOut = z.strictObject({
  ...shared,
  type: z.literal('fan-out'),
  agents: z.array(z.string().min(1)).min(1),
  ...working,
  output: working.output.describe('The file of each agent; `{agent}` stands for its name.'),
  transitions: z.strictObject({
    all_success: StateName,
    partial_success: StateName.optional().describe('Default: as all_success.'),
    all_failure: StateName,
  }),
})

/** One agent works, or, with the transitions proceed, retry and halt, it is a quality gate. */
const Single = z.strictObject({
  ...shared,
  type: z.literal('single'),
  agent: z.string().min(1),
  ...working,
  transitions: z.union([
    z.strictObject({ success: StateName, failure: StateName }),
    z.strictObject({
      proceed: StateName,
      retry: StateName,
      halt: StateName,
      failure: StateName.optional().describe('Where a gate without a verdict goes. Default: as halt.'),
    }),
  ]),
})

/** The orchestrator works, in its own session. */
const OrchestratorTask = z.strictObject({
  ...shared,
  type: z.literal('orchestrator-task'),
  ...working,
  transitions: z.strictObject({ success: StateName, failure: StateName }),
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
