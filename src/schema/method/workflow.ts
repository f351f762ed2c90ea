import { z } from 'zod'
import { Format } from './format.ts'

/** The name of the user's request as a dependency or a need; every stage gets it. */
export const userRequest = 'user_request'

const Name = z
  .string()
  .regex(/^[A-Za-z_][\w-]*$/, 'must be a name of letters, digits, dashes and underscores')
const Names = z.array(Name).default([])

const Profile = z.strictObject({
  work: z.enum(['produce', 'judge', 'summarise', 'decide']).describe('Its kind of work.'),
  instructions: z.string().min(1).describe('Its instructions in every stage.'),
  input_format: Format.describe('Format of its inputs.'),
  output_format: Format.describe('Format of its output.'),
  needs: Names.describe('Items, or stages, that it requires.'),
  optional_needs: Names.describe(
    'Items, or stages, that it can use. Reported and counted if nobody provides them.',
  ),
  provides: z.array(Name).min(1).describe('Items that it provides.'),
})

const Stage = z.strictObject({
  stage: Name,
  agent: z.string(),
  depends_on: Names.describe('Stages whose output it gets, or user_request.'),
  can_iterate: z
    .union([z.boolean(), z.string()])
    .default(false)
    .describe('The stage that it may ask for changes; true: its first dependency.'),
  max_iterations: z.int().positive().optional().describe('How often it may ask for changes; default 1.'),
})

/** The contents of a workflow file. */
export const WorkflowFile = z.strictObject({
  name: Name,
  description: z.string().min(1),
  agents: z.record(Name, Profile),
  stages: z.array(Stage).min(1),
})
export type WorkflowFile = z.infer<typeof WorkflowFile>

/** The contents of a workflow file with invalid fields replaced by defaults, so that all problems can be reported together. */
export const LenientWorkflowFile = z.object({
  ...WorkflowFile.shape,
  name: z.string().catch(''),
  description: z.string().catch(''),
  agents: z.record(
    z.string(),
    lenient(Profile, {
      ...{ work: 'produce', instructions: '', input_format: 'json', output_format: 'json' },
      ...{ needs: [], optional_needs: [], provides: [] },
    }),
  ),
  stages: z.array(
    lenient(Stage, { stage: '', agent: '', depends_on: [], can_iterate: false, max_iterations: undefined }),
  ),
})

function lenient<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  instead: { [Name in keyof Shape]: z.output<Shape[Name]> },
): z.ZodObject<Shape> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    z.catch(field, instead[name as keyof Shape] as never),
  ])
  return z.object(Object.fromEntries(fields))
}

/** A validated workflow, as it is in a method's options. */
export const Workflow = z.object({
  name: z.string(),
  /** SHA-256 of the workflow file. */
  digest: z.string(),
  agents: z.record(z.string(), Profile),
  /** Stages in dependency order. */
  stages: z.array(
    z.object({
      stage: z.string(),
      agent: z.string(),
      after: z.array(z.string()),
      /** The stage that it may ask for changes, and how often. */
      iterates: z.object({ toward: z.string(), most: z.int() }).optional(),
    }),
  ),
})
export type Workflow = z.infer<typeof Workflow>
export type WorkflowStage = Workflow['stages'][number]
