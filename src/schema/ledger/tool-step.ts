import { z } from 'zod'
import { ChangeSet } from '../method/change.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { MemoryNote, ToolCall, ToolOutcome } from '../tool/tool-call.ts'
import { ToolServer } from '../tool/tool-set.ts'
import { Common } from './step-fields.ts'

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
