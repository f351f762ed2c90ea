import { z } from 'zod'
import { Id } from './ids.ts'

const shared = {
  id: Id.optional().describe('Must equal the key.'),
  description: z.string().optional(),
}

const WorkspaceTool = z.strictObject({
  ...shared,
  kind: z.literal('workspace'),
  config: z.strictObject({
    allow: z
      .array(z.enum(['read', 'list', 'write', 'check']))
      .min(1)
      .describe('What it may do with the files of the trial.'),
  }),
})

const McpTool = z.strictObject({
  ...shared,
  kind: z.literal('mcp'),
  config: z.strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe('Program and arguments of the server, without a shell.'),
    allow: z.array(z.string().min(1)).min(1).describe('Names of its tools that agents may call.'),
  }),
})

/** A capability of agents outside of the model. Documents declare tools; steps do not call them yet. */
export const Tool = z.discriminatedUnion('kind', [WorkspaceTool, McpTool])
export type Tool = z.infer<typeof Tool>
