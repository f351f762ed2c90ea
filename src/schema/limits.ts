import { z } from 'zod'

/** A trial's own limits. Time is the branch's clock, never the wall's. */
export const Limits = z.strictObject({
  calls: z.int().positive().optional(),
  checks: z.int().positive().optional(),
  tokens: z.int().positive().optional(),
  costUsd: z.number().positive().optional(),
  timeMs: z.number().positive().optional(),
})
export type Limits = z.infer<typeof Limits>
