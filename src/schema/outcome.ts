import { z } from 'zod'

/** How a trial ended. `error` and `cancelled` are not graded and count as missing; all others are graded. */
export const Outcome = z.object({
  status: z.enum(['completed', 'limited', 'failed', 'error', 'cancelled']),
  /** In words: which limit, what broke. Empty when completed. */
  reason: z.string(),
})
export type Outcome = z.infer<typeof Outcome>
