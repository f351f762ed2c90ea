import { z } from 'zod'

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
