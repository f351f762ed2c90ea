import { z } from 'zod'

/**
 * The limits of an ask, a method or a run; calls are attempts. `timeMs` of an ask is the time of its attempts on the branch's clock;
 * of a method, the sum over its calls and checks; of a run, the real time of its sessions.
 */
export const Budget = z.strictObject({
  calls: z.int().positive().optional(),
  tokens: z.int().positive().optional(),
  costUsd: z.number().positive().optional(),
  timeMs: z.number().positive().optional(),
})
export type Budget = z.infer<typeof Budget>
/** What a limit counts. */
export type BudgetUnit = keyof Budget

/** The limits of a trial. `timeMs` is on the branch's clock, not wall time. */
export const Limits = z.strictObject({
  ...Budget.shape,
  checks: z.int().positive().optional(),
})
export type Limits = z.infer<typeof Limits>

/** Limits that stop a run, or a method of it, and never change a record. */
export const Budgets = z.strictObject({
  run: Budget,
  /** By method label; methods without limits are absent. */
  methods: z.record(z.string(), Budget),
})
export type Budgets = z.infer<typeof Budgets>

/** Rate limits of a provider, per address and key. They only delay calls, so they are not part of ids. */
export const RateLimits = z.strictObject({
  /** Concurrent calls. */
  concurrent: z.int().positive().optional(),
  /** Calls started, and tokens used, within any 60 seconds. */
  requestsPerMinute: z.int().positive().optional(),
  tokensPerMinute: z.int().positive().optional(),
})
export type RateLimits = z.infer<typeof RateLimits>

/** The usage of a limit of the run or of a method. */
export const LimitUse = z.object({
  scope: z.enum(['run', 'method']),
  /** Label, if the scope is a method. */
  method: z.string().optional(),
  limit: z.enum(['calls', 'tokens', 'costUsd', 'timeMs']),
  of: z.number(),
  /** Sum over all sessions. */
  used: z.number(),
  /** The excess over the limit, from calls in flight when it was reached. */
  over: z.number(),
  /** Calls that are missing in `used`, because their tokens or price were not reported. */
  unreported: z.int(),
  /** The limit refused an ask in this session. */
  stopped: z.boolean(),
})
export type LimitUse = z.infer<typeof LimitUse>
