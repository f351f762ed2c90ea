import { z } from 'zod'

/**
 * What one ask, a method or a run may use; calls are attempts. Time is, of an ask, its attempts' on the branch's clock;
 * of a method, what its calls and checks took, added up; of a run, the real time of its sessions.
 */
export const Budget = z.strictObject({
  calls: z.int().positive().optional(),
  tokens: z.int().positive().optional(),
  costUsd: z.number().positive().optional(),
  timeMs: z.number().positive().optional(),
})
export type Budget = z.infer<typeof Budget>

/** A trial's own limits. Time is the branch's clock, never the wall's. */
export const Limits = z.strictObject({
  ...Budget.shape,
  checks: z.int().positive().optional(),
})
export type Limits = z.infer<typeof Limits>

/** Limits that stop a run, or a method of it, and never change a record. */
export const Budgets = z.strictObject({
  run: Budget,
  /** By label; a method without limits is not there. */
  methods: z.record(z.string(), Budget),
})
export type Budgets = z.infer<typeof Budgets>

/** What a provider lets through at most, for each address and key. Only delays calls: no part of any id. */
export const RateLimits = z.strictObject({
  /** Calls at once. */
  concurrent: z.int().positive().optional(),
  /** Calls begun, and tokens used, within any 60 seconds. */
  requestsPerMinute: z.int().positive().optional(),
  tokensPerMinute: z.int().positive().optional(),
})
export type RateLimits = z.infer<typeof RateLimits>

/** How much of a limit of the run or of a method is used. */
export const LimitUse = z.object({
  scope: z.enum(['run', 'method']),
  /** Label, where the scope is a method. */
  method: z.string().optional(),
  limit: z.enum(['calls', 'tokens', 'costUsd', 'timeMs']),
  of: z.number(),
  /** In all sessions. */
  used: z.number(),
  /** By how much that is more than the limit: what was in flight when it was reached. */
  over: z.number(),
  /** Calls that are not in `used`, since their tokens or their price were not reported. */
  unreported: z.int(),
  /** It refused an ask in this session. */
  stopped: z.boolean(),
})
export type LimitUse = z.infer<typeof LimitUse>
