import { z } from 'zod'
import { Format } from './format.ts'

/** The request itself, as a dependency or a need: every stage has it. */
export const userRequest = 'user_request'

const Name = z.string().regex(/^[A-Za-z_][\w-]*$/, 'is not a name of letters, digits, dashes and underscores')
const Names = z.array(Name).default([])

/** What an agent of a workflow reads, writes, needs and provides. */
const Profile = z.strictObject({
  work: z.enum(['produce', 'judge', 'summarise', 'decide']).describe('Its kind of work.'),
  instructions: z.string().min(1).describe('What it is told to do, whatever the stage.'),
  input_format: Format.describe('In which it gets what others handed on.'),
  output_format: Format.describe('In which it hands on what it provides.'),
  needs: Names.describe('Items, or stages, that it cannot do without.'),
  optional_needs: Names.describe(
    'Items, or stages, that it makes use of; told and counted where nobody provides them.',
  ),
  provides: z.array(Name).min(1).describe('Items that it hands on.'),
})

const Stage = z.strictObject({
  stage: Name,
  agent: z.string(),
  depends_on: Names.describe('Stages whose output it gets, and user_request.'),
  can_iterate: z
    .union([z.boolean(), z.string()])
    .default(false)
    .describe('The stage that it may ask for changes; true: the first that it depends on.'),
  max_iterations: z.int().positive().optional().describe('How often; once where nothing is said.'),
})

/** A workflow as its file says it. */
export const WorkflowFile = z.strictObject({
  name: Name,
  description: z.string().min(1),
  agents: z.record(Name, Profile),
  stages: z.array(Stage).min(1),
})
export type WorkflowFile = z.infer<typeof WorkflowFile>

/**
 * The same as far as it can be made out where fields are of a wrong kind: such a field is as if it were left out, so that
 * whatever else is wrong with the file can be told at once.
 */
export const RoughWorkflowFile = z.object({
  ...WorkflowFile.shape,
  name: z.string().catch(''),
  description: z.string().catch(''),
  agents: z.record(
    z.string(),
    forgiving(Profile, {
      ...{ work: 'produce', instructions: '', input_format: 'json', output_format: 'json' },
      ...{ needs: [], optional_needs: [], provides: [] },
    }),
  ),
  stages: z.array(
    forgiving(Stage, { stage: '', agent: '', depends_on: [], can_iterate: false, max_iterations: undefined }),
  ),
})

function forgiving<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  instead: { [Name in keyof Shape]: z.output<Shape[Name]> },
): z.ZodObject<Shape> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    z.catch(field, instead[name as keyof Shape] as never),
  ])
  return z.object(Object.fromEntries(fields))
}

/** A workflow that was checked, as it stands in a method's options. */
export const Workflow = z.object({
  name: z.string(),
  /** SHA-256 of its file. */
  digest: z.string(),
  agents: z.record(z.string(), Profile),
  /** Each after all that it depends on. */
  stages: z.array(
    z.object({
      stage: z.string(),
      agent: z.string(),
      after: z.array(z.string()),
      /** Which stage it may ask for changes, and how often. */
      iterates: z.object({ toward: z.string(), most: z.int() }).optional(),
    }),
  ),
})
export type Workflow = z.infer<typeof Workflow>
export type WorkflowStage = Workflow['stages'][number]
