import { z } from 'zod'
import { Id } from '../ids.ts'

const shared = {
  id: Id.optional().describe('Must equal the key.'),
  description: z.string().optional(),
}

/** What an agent may do with the files of its trial. */
export const workspaceTools = ['read', 'list', 'write', 'check'] as const
export type WorkspaceToolName = (typeof workspaceTools)[number]

const WorkspaceTool = z.strictObject({
  ...shared,
  kind: z.literal('workspace'),
  config: z.strictObject({
    allow: z
      .array(z.enum(workspaceTools))
      .min(1)
      // Equal sets of tools are equal tools, so the order is that of the list.
      .overwrite((names) => workspaceTools.filter((name) => names.includes(name)))
      .describe('What it may do with the files of the trial. Only agents of kind `produce` are given write.'),
  }),
})

const McpTool = z.strictObject({
  ...shared,
  kind: z.literal('mcp'),
  config: z.strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe('Program and arguments of the server, without a shell. It speaks MCP over stdio.'),
    allow: z
      .array(z.string().min(1))
      .min(1)
      .overwrite((names) => [...new Set(names)].sort())
      .describe('Names of its tools that agents may call.'),
    files: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Files and folders that it needs, relative to the working folder. It sees copies of them, and nothing else of this machine but its programs.',
      ),
    env: z.record(z.string(), z.string()).default({}).describe('Environment variables, with their values.'),
    workspace: z.boolean().default(false).describe('It sees a copy of the files of the trial.'),
    stateless: z
      .boolean()
      .default(false)
      .describe('Its answers depend on the arguments alone, so a resumed run may ask it again.'),
    timeout_ms: z.int().positive().default(30_000).describe('Longest time of one call.'),
    max_bytes: z.int().positive().default(1_048_576).describe('Longest answer to one call.'),
  }),
})

/** Longest part of a memory's file that is searched, in characters: a search reads all of it. */
export const longestMemoryFile = 1_000_000

const MemoryTool = z.strictObject({
  ...shared,
  kind: z.literal('memory'),
  config: z
    .strictObject({
      file: z
        .string()
        .min(1)
        .optional()
        .describe(
          'A text file to recall from beside the notes of the trial, relative to the working folder.',
        ),
    })
    .prefault({}),
})

/** A capability of agents outside of the model. */
export const Tool = z.discriminatedUnion('kind', [WorkspaceTool, McpTool, MemoryTool])
export type Tool = z.infer<typeof Tool>
