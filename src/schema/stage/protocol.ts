import { z } from 'zod'

/** The version of the protocol between a stage and bench. */
export const protocolVersion = 1

/** The most bytes of a line that a stage sends. */
export const mostLineBytes = 4 * 1024 ** 2

const Label = z.record(z.string(), z.union([z.number(), z.string()]))

/** An ask of a stage. `shape` is the JSON Schema of the data that it wants. */
export const StageAsk = z.strictObject({
  role: z.string(),
  prompt: z.string(),
  system: z.string().optional(),
  show: z.record(z.string(), z.string()).optional(),
  shape: z.record(z.string(), z.unknown()).optional(),
  work: z.enum(['produce', 'judge', 'summarise', 'decide']).optional(),
})
export type StageAsk = z.infer<typeof StageAsk>

/** The most that a program can have printed: 64 MiB, the longest file of the sandbox, of 4 characters a token. */
const OutputTokens = z
  .int()
  .nonnegative()
  .max(1024 ** 2 * 16)

/** What the compact report of a tool saves against the tool's own output; estimated tokens. */
export const ToolSaving = z.strictObject({
  tool: z.string().regex(/^[a-z][a-z0-9:._-]{0,63}$/i, {
    error:
      'must be a name: a letter, then letters, digits, colons, dots, hyphens and underscores, at most 64',
  }),
  rawTokens: OutputTokens,
  compactTokens: OutputTokens,
})
export type ToolSaving = z.infer<typeof ToolSaving>

/** What a tool may print and leave behind, and how long it may run. */
const mostTextBytes = 4 * 1024 ** 2
const longestRunMs = 24 * 3_600_000

/** A tool that the stage wants run apart from itself: on a copy of its files, without its state, its socket and its own folder. */
export const StageRun = z.strictObject({
  /** Program and arguments. `{tools}` at the beginning of an argument stands for the folder of `tools`. */
  command: z.array(z.string()).min(1),
  /** Read-only files of the stage that the tool gets, by path. */
  tools: z.array(z.string()).max(1000).optional(),
  /** Texts that are written over the copy of the files, by path. */
  files: z.record(z.string(), z.string()).optional(),
  /** Text files of the copy whose content the reply has, if they are there at the end. */
  collect: z.array(z.string()).max(16).optional(),
  /** Ten minutes by default. */
  timeoutMs: z.number().positive().max(longestRunMs).optional(),
  /** Bytes kept of stdout and of stderr each; 64 KiB by default. A collected file may have as many. */
  outputBytes: z.int().positive().max(mostTextBytes).optional(),
})
export type StageRun = z.infer<typeof StageRun>

/** How a tool ended that a stage wanted run. All its texts are what the tool, or the code that it ran, says. */
export const StageRunEnd = z.object({
  /** Null if it did not end by itself; `reason` then says why. */
  exitCode: z.int().nullable(),
  reason: z.string().optional(),
  stdout: z.string(),
  stderr: z.string(),
  /** Texts by path, of those that were to be collected. */
  files: z.record(z.string(), z.string()),
})
export type StageRunEnd = z.infer<typeof StageRunEnd>

/**
 * What a stage can have done: an ask, a label for its later steps, a run of the visible checks or of a tool, a saving written down; a file
 * read, or with an empty path the list of all; and, of an agent that directs others, the end of its work with its result.
 */
export const StageRequest = z.union([
  z.strictObject({ ask: StageAsk }),
  z.strictObject({ label: Label }),
  z.strictObject({ check: z.literal(true) }),
  z.strictObject({ saving: ToolSaving }),
  z.strictObject({ run: StageRun }),
  z.strictObject({ read: z.string() }),
  z.strictObject({ finish: z.string() }),
])
export type StageRequest = z.infer<typeof StageRequest>

/** The id of a request, which its answer repeats. */
export const RequestId = z.union([z.int(), z.string().max(100)])
export type RequestId = z.infer<typeof RequestId>

/** A line that a stage sends: an id and one request. */
export const StageLine = z.strictObject({
  id: RequestId,
  ask: StageAsk.optional(),
  label: Label.optional(),
  check: z.literal(true).optional(),
  saving: ToolSaving.optional(),
  run: StageRun.optional(),
  read: z.string().optional(),
  finish: z.string().optional(),
})

/** The requests that this bench answers, by name. */
export const requestNames = Object.keys(StageLine.shape).filter((name) => name !== 'id')

/** Why a request has no reply. */
export type StageErrorReason = 'busy' | 'limit' | 'agent' | 'invalid' | 'closed'

/** The answer to a request. `cause` is the reason of an agent's error. */
export type StageAnswer =
  | { reply: unknown }
  | { error: { reason: StageErrorReason; cause?: string; message: string } }
