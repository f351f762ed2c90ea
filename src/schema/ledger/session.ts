import { z } from 'zod'
import { Budgets, LimitUse } from '../limits.ts'

/** One line of sessions.jsonl: a session begins, or has ended. */
export const SessionLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begin'),
    startedAt: z.string(),
    /** Trials at once. */
    parallel: z.int().positive(),
    budgets: Budgets,
    /** Processors and their kind, where time is real. */
    machine: z.string().optional(),
  }),
  z.object({
    type: z.literal('end'),
    /** Real time; of a session that was killed, until it last wrote something. */
    ms: z.number(),
    /** `whole`: all trials of the plan have a record. */
    reason: z.enum(['whole', 'limit', 'interrupted', 'killed']),
    /** What stopped it, where the reason does not say. */
    why: z.string().optional(),
    limits: z.array(LimitUse),
    /** How long steps.jsonl was then; bytes. Absent of a session that was killed. */
    stepsBytes: z.int().nonnegative().optional(),
    /** The same of records.jsonl. */
    recordsBytes: z.int().nonnegative().optional(),
  }),
])
export type SessionLine = z.infer<typeof SessionLine>

/** One session of a run: a process that worked on it. */
export type PastSession = Extract<SessionLine, { type: 'begin' }> & {
  /** Undefined: it is at work, or was killed and nobody has gone on since. */
  end: Extract<SessionLine, { type: 'end' }> | undefined
}
