import { z } from 'zod'

/** How a trial ended. `error` and `cancelled` are not graded and count as missing; all others are graded. */
export const Outcome = z.object({
  status: z.enum(['completed', 'limited', 'failed', 'error', 'cancelled']),
  /** In words: which limit, what broke. Empty when completed. */
  reason: z.string(),
})
export type Outcome = z.infer<typeof Outcome>

/** What a grader says about one aspect of what a trial left behind. */
export const Score = z.object({
  name: z.string(),
  /** 0 to 1. */
  value: z.number().min(0).max(1),
  reason: z.string(),
  /** Tests passed and run, where it ran some. */
  tests: z.object({ passed: z.int(), total: z.int() }).optional(),
})
export type Score = z.infer<typeof Score>
