import { z } from 'zod'
import { workspaceTools } from './tool.ts'

/** A function that a model may call. */
export const ToolDefinition = z.strictObject({
  /** Unique among the tools of one ask. Letters, digits, `_` and `-`, at most 64, as all vendors take it. */
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  /** JSON Schema of the arguments; its type is `object`. */
  inputSchema: z.record(z.string(), z.unknown()),
})
export type ToolDefinition = z.infer<typeof ToolDefinition>

/** A file of the user as the run began with it: its path as written, and the SHA-256 of its content. */
const ReadFile = z.strictObject({ path: z.string(), digest: z.string() })

/** The server of an MCP tool as it named itself. */
export const ToolServer = z.strictObject({ name: z.string(), version: z.string() })
export type ToolServer = z.infer<typeof ToolServer>

/** A tool as a run uses it: its configuration, and what was found before the first trial. It is part of the trial's id. */
export const ResolvedTool = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('workspace'), allow: z.array(z.enum(workspaceTools)).min(1) }),
  z.strictObject({
    kind: z.literal('mcp'),
    command: z.array(z.string()).min(1),
    files: z.array(ReadFile),
    env: z.record(z.string(), z.string()),
    workspace: z.boolean(),
    stateless: z.boolean(),
    timeoutMs: z.int().positive(),
    maxBytes: z.int().positive(),
    server: ToolServer,
    /**
     * The allowed tools as models see them. `original` is the server's own name of the tool, `given` its own description and schema
     * where models see others; arguments are checked by the server's own schema.
     */
    definitions: z.array(
      z.strictObject({
        ...ToolDefinition.shape,
        original: z.string(),
        given: ToolDefinition.pick({ description: true, inputSchema: true }).optional(),
      }),
    ),
  }),
  z.strictObject({ kind: z.literal('memory'), file: ReadFile.optional() }),
])
export type ResolvedTool = z.infer<typeof ResolvedTool>
export type ResolvedMcpTool = Extract<ResolvedTool, { kind: 'mcp' }>

/** The tools of a method. */
export const MethodTools = z.strictObject({
  /**
   * All tools of the method by id: those that it is given and those that its documents declare. Empty where `none` takes those of
   * its documents away: an ask that names one then has none.
   */
  known: z.record(z.string(), ResolvedTool),
  /** Ids of the tools that every `produce` role has, by `--tools` or the method's option `tools`. */
  given: z.array(z.string()),
  /** The most turns of one ask, the answer included. */
  turns: z.int().positive(),
})
export type MethodTools = z.infer<typeof MethodTools>

/** The most turns of one ask, if nothing else is set. */
export const defaultToolTurns = 20
