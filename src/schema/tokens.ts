import { z } from 'zod'

/** Tokens of calls. Input includes cache reads and writes, output includes reasoning; null is not reported, never 0. */
export const Tokens = z.object({
  input: z.number().nonnegative().nullable(),
  output: z.number().nonnegative().nullable(),
  /** The part of `input` that was read from a cache. */
  cached: z.number().nonnegative().nullable(),
  /** The part of `input` that was written to a cache, and of that the part kept for an hour; absent where the provider tells neither. */
  cacheWrite: z.number().nonnegative().optional(),
  cacheWriteHour: z.number().nonnegative().optional(),
  /** The part of `output` that was reasoning; absent where the provider does not tell. */
  reasoning: z.number().nonnegative().optional(),
})
export type Tokens = z.infer<typeof Tokens>

/** What a trial or a run spent. A sum leaves out what was not reported and says how many calls that concerns. */
export const Spending = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached: z.number().nonnegative(),
  /** US dollars; null when no call's price is known. */
  costUsd: z.number().nonnegative().nullable(),
  /** Asks' attempts. */
  calls: z.number().nonnegative(),
  /** Runs of the visible checks. */
  checks: z.number().nonnegative(),
  /** Calls whose tokens, and calls whose cost, were not reported. */
  unreportedTokens: z.number().nonnegative(),
  unreportedCost: z.number().nonnegative(),
  /**
   * The same calls at the list price, had nothing been cached; null when nobody knows any. Absent where nothing can be
   * cached: the bill of a simulated trial is its list price.
   */
  listCostUsd: z.number().nonnegative().nullable().optional(),
  /** Calls that `listCostUsd` lacks. */
  unknownListCost: z.number().nonnegative().optional(),
  /** What agents themselves said that their calls cost, where that is no bill, beside what we computed for these calls. */
  reported: z
    .object({
      calls: z.number().nonnegative(),
      costUsd: z.number().nonnegative(),
      computedUsd: z.number().nonnegative(),
    })
    .optional(),
})
export type Spending = z.infer<typeof Spending>
