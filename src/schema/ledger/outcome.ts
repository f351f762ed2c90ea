import { z } from 'zod'
import { RubricScale } from '../grader-spec.ts'

/** How a trial ended. Trials that end as `error` or `cancelled` are not graded and count as missing. */
export const Outcome = z.object({
  status: z.enum(['completed', 'limited', 'failed', 'error', 'cancelled']),
  /** Which limit, or what broke; empty if completed. */
  reason: z.string(),
})
export type Outcome = z.infer<typeof Outcome>

/** What one judge said of a delivery: its score, and by criterion the scores of its verdicts in their order; or why it has no say. */
export const JudgeScore = z.object({
  judge: z.string(),
  /** 0 to 1; null: the judge gave no readable verdict. */
  value: z.number().min(0).max(1).nullable(),
  criteria: z.record(z.string(), z.array(z.number().min(0).max(1))).optional(),
  missing: z.string().optional(),
})
export type JudgeScore = z.infer<typeof JudgeScore>

/** A grader's score of one aspect of a delivery. */
export const Score = z.object({
  name: z.string(),
  /** 0 to 1. */
  value: z.number().min(0).max(1),
  reason: z.string(),
  /** Passed and total tests, if the grader ran any. */
  tests: z.object({ passed: z.int(), total: z.int() }).optional(),
  /** The tests ran in the solution's process, as the task says: a solution can fake this score. */
  oneProcess: z.literal(true).optional(),
  /** What each judge said, of a grader of kind `rubric`. */
  judges: z.array(JudgeScore).optional(),
  /** The scale of their verdicts. */
  scale: RubricScale.optional(),
})
export type Score = z.infer<typeof Score>
