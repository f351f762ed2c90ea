import { z } from 'zod'
import { ChangeSet } from '../method/change.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { StageRequest, StageRunEnd, ToolSaving } from '../stage/protocol.ts'
import { RefusedRequests } from './program-use.ts'
import { Common } from './tool-step.ts'

/** What happened in a stage: a request, or changes that were found in its folder. */
export const StageDeed = z.union([...StageRequest.options, z.strictObject({ changes: ChangeSet })])
export type StageDeed = z.infer<typeof StageDeed>

/**
 * A stage of a chain that ended. Its key is that of `stage()` in the branch that called it; it is written last. `durationMs` is the
 * program's own time, without that of its asks and checks, and `at` is the clock after these.
 */
export const StageStep = z.object({
  kind: z.literal('stage'),
  ...Common.shape,
  stage: z.string(),
  command: z.array(z.string()),
  /** SHA-256 of its read-only files; and of the files that the workspace began with, null where they are the task's. */
  programs: z.string(),
  files: z.string().nullable(),
  /** Null if it did not end by itself. */
  exitCode: z.int().nullable(),
  /** How it ended, if not by itself. */
  reason: z.string().optional(),
  /** The state file before and after; `after` is absent if there was none that could be read. */
  before: z.string(),
  after: z.string().optional(),
  output: z.string(),
  asks: z.int(),
  /** Of a program that asks models itself: what it printed to stdout, and its requests that the gateway did not let pass. */
  stdout: z.string().optional(),
  refused: RefusedRequests.optional(),
  /** What reports of tools have saved in it, as it said. Absent if it said nothing. */
  savings: z.array(ToolSaving).optional(),
  /** Its requests and its changes to files, in order: replay repeats them. Absent if the texts are withheld. */
  log: z.array(StageDeed).optional(),
  /** SHA-256 of what is withheld. */
  resultHash: z.string().optional(),
  /** The time limit of the trial ended it. */
  limited: z.literal(true).optional(),
  /** The harness ended it: its branch lost a `first`, or the trial broke. */
  cut: z.enum(['lost', 'error']).optional(),
  /** The sandbox level; absent if nothing ran. */
  sandbox: SandboxLevel.optional(),
})
export type StageStep = z.infer<typeof StageStep>

/** A tool that ran apart from the stage that wanted it, which the log of the stage asks for. */
export const RunStep = z.object({
  kind: z.literal('run'),
  ...Common.shape,
  stage: z.string(),
  command: z.array(z.string()),
  ...StageRunEnd.shape,
  /** SHA-256 of what is withheld. */
  resultHash: z.string().optional(),
  /** The time limit of the trial ended it. */
  limited: z.literal(true).optional(),
  sandbox: SandboxLevel.optional(),
})
export type RunStep = z.infer<typeof RunStep>

/**
 * What an agent did that directs others and runs as a stage: a request, written before it is done, or changes that were found in its
 * folder. Its key is `ASK.ATTEMPT.NUMBER`. Results are in the steps that follow from it.
 */
export const DeedStep = z.object({
  kind: z.literal('deed'),
  ...Common.shape,
  role: z.string(),
  deed: StageDeed,
})
export type DeedStep = z.infer<typeof DeedStep>
