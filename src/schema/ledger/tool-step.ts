import { z } from 'zod'
import { ChangeSet } from '../method/change.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { MemoryNote, ToolCall, ToolOutcome } from '../tool/tool-call.ts'
import { ToolServer } from '../tool/tool-set.ts'

/**
 * A step in steps.jsonl, identified by `(trial, key, attempt)`. `key` is `branch path#counter`; the root branch's path is empty.
 * Resume and replay answer from steps, so a step contains everything that its caller saw.
 */
export const Common = z.object({
  trial: z.string(),
  key: z.string(),
  attempt: z.int().positive(),
  /** Who pays: the method, the grading, or nobody (voided by a divergence, or lost in a crash). */
  payer: z.enum(['method', 'grading', 'void']),
  /** SHA-256 of the request, compared on resume and replay. */
  hash: z.string(),
  /** True in a trial in which any role has a simulated agent. */
  simulated: z.boolean().optional(),
  /** Time of the branch's clock at the start of the step, and the step's duration; ms. */
  at: z.number(),
  durationMs: z.number().nonnegative(),
  /** From the last iteration note before the step. */
  iteration: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
})

/** A tool call of an agent, with its result. Its key is `ASK.TURN.CALL`: the call's turn, and its place in it, from 1. */
export const ToolStep = z.object({
  kind: z.literal('tool'),
  ...Common.shape,
  role: z.string(),
  agent: z.string(),
  call: ToolCall,
  /** Id of the tool in the method's tools; absent if the model named none of them. */
  tool: z.string().optional(),
  outcome: ToolOutcome,
  /** What the model got: the result, or an error that it can act on. */
  result: z.string(),
  /** What a `write` changed. Contents are blobs. */
  changeSet: ChangeSet.optional(),
  /** What a memory tool keeps. */
  note: MemoryNote.optional(),
  /** The MCP server that answered. */
  server: ToolServer.optional(),
  /** The sandbox level of the code that ran; absent if none ran. */
  sandbox: SandboxLevel.optional(),
})
export type ToolStep = z.infer<typeof ToolStep>
