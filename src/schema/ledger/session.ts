import { z } from 'zod'
import { KeepWorkspaces } from '../keep-workspaces.ts'
import { Budgets, LimitUse } from '../limits.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { ApprovalPolicy } from './approval.ts'
import { VerdictCounts } from './verdict.ts'

/** The sandbox of a session. */
export const SessionSandbox = z.object({
  level: SandboxLevel,
  adapter: z.enum(['bubblewrap', 'docker', 'podman', 'none']),
  /** Why the level is below `full`. */
  reason: z.string().optional(),
})
export type SessionSandbox = z.infer<typeof SessionSandbox>

/** One line of sessions.jsonl: the start or the end of a session. */
export const SessionLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begin'),
    startedAt: z.string(),
    /** Parallel trials. */
    parallel: z.int().positive(),
    budgets: Budgets,
    /** The shard of the run that the session did, whose `budgets` are its share; absent: it did the whole run. */
    shard: z.object({ index: z.int().positive(), of: z.int().positive() }).optional(),
    /** Who answers approvals; absent in older runs. The next session does the same, unless it says otherwise. */
    approve: ApprovalPolicy.optional(),
    /** Of which trials the workspace is kept; absent: of none. The next session does the same, unless it says otherwise. */
    keepWorkspaces: KeepWorkspaces.optional(),
    /** Limits need not count every call (`--allow-unpriced`); absent: they must. The next session does the same. */
    allowUnpriced: z.literal(true).optional(),
    /** Number and model of processors, if time is real. */
    machine: z.string().optional(),
    /** What code runs in, and why its level is below `full`; absent if nothing of this session runs code, and in older runs. */
    sandbox: SessionSandbox.optional(),
    /** The file of verdicts and its SHA-256; null: none of them was used. Absent without such a file. */
    verdicts: z.object({ file: z.string(), digest: z.string().nullable() }).optional(),
  }),
  z.object({
    type: z.literal('end'),
    /** Real time; for a killed session, until its last write. */
    ms: z.number(),
    /** `whole`: all trials of the plan have a record. `parked`: trials wait for a person. `paused`: by `bench pause`. */
    reason: z.enum(['whole', 'limit', 'interrupted', 'killed', 'parked', 'paused']),
    /** What stopped it, if `reason` does not say. */
    why: z.string().optional(),
    limits: z.array(LimitUse),
    /** Size of steps.jsonl at the end; bytes. Absent for a killed session. */
    stepsBytes: z.int().nonnegative().optional(),
    /** Size of records.jsonl at the end; bytes. */
    recordsBytes: z.int().nonnegative().optional(),
    /** Absent without a file of verdicts, and for a killed session. */
    verdicts: VerdictCounts.optional(),
  }),
])
export type SessionLine = z.infer<typeof SessionLine>

/** One session of a run: the work of one process. */
export type PastSession = Extract<SessionLine, { type: 'begin' }> & {
  /** Undefined if it is running, or was killed and the run was not resumed. */
  end: Extract<SessionLine, { type: 'end' }> | undefined
}
