import { z } from 'zod'

/** Tokens of calls. Input includes cache reads and writes, output includes reasoning. Null means not reported. */
export const Tokens = z.object({
  input: z.number().nonnegative().nullable(),
  output: z.number().nonnegative().nullable(),
  /** The part of `input` that was read from a cache. */
  cached: z.number().nonnegative().nullable(),
  /** The part of `input` that was written to a cache, and the part of that which is kept for an hour; absent if not reported. */
  cacheWrite: z.number().nonnegative().optional(),
  cacheWriteHour: z.number().nonnegative().optional(),
  /** The part of `output` that was reasoning; absent if not reported. */
  reasoning: z.number().nonnegative().optional(),
})
export type Tokens = z.infer<typeof Tokens>

/** The spending of a trial or a run. A sum leaves out unreported values; the number of such calls is in its own field. */
export const Spending = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached: z.number().nonnegative(),
  /** US dollars; null if no call's price is known. */
  costUsd: z.number().nonnegative().nullable(),
  /** Attempts of asks. */
  calls: z.number().nonnegative(),
  /** Runs of the visible checks. */
  checks: z.number().nonnegative(),
  /** Calls whose tokens, and calls whose cost, were not reported. */
  unreportedTokens: z.number().nonnegative(),
  unreportedCost: z.number().nonnegative(),
  /** The same for `cached`, of imported trials alone; absent: all calls whose tokens are known reported it. */
  unreportedCached: z.number().nonnegative().optional(),
  /**
   * Cost of the same calls at the list price without caching; null if no price is known. Absent where nothing is cached: the cost
   * of a simulated trial is its list price.
   */
  listCostUsd: z.number().nonnegative().nullable().optional(),
  /** Calls that are missing in `listCostUsd`. */
  unknownListCost: z.number().nonnegative().optional(),
  /** Costs that agents reported themselves, which are not a bill, and the computed costs of the same calls. */
  reported: z
    .object({
      calls: z.number().nonnegative(),
      costUsd: z.number().nonnegative(),
      computedUsd: z.number().nonnegative(),
    })
    .optional(),
})
export type Spending = z.infer<typeof Spending>
