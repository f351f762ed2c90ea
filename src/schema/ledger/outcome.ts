import { z } from 'zod'

/** How a trial ended. Trials that end as `error` or `cancelled` are not graded and count as missing. */
export const Outcome = z.object({
  status: z.enum(['completed', 'limited', 'failed', 'error', 'cancelled']),
  /** Which limit, or what broke; empty if completed. */
  reason: z.string(),
})
export type Outcome = z.infer<typeof Outcome>

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
})
export type Score = z.infer<typeof Score>
