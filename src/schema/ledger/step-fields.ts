import { z } from 'zod'

/**
 * A step in steps.jsonl, identified by `(trial, key, attempt)`. `key` is `branch path#counter`; the root branch's path is empty.
 * Resume and replay answer from steps, so a step contains everything that its caller saw.
 */
export const Common = z.object({
  trial: z.string(),
  key: z.string(),
  attempt: z.int().positive(),
  /** Who pays: the method, the grading, or nobody (voided by a divergence, or lost in a crash). */
  payer: z.enum(['method', 'grading', 'void']),
  /** SHA-256 of the request, compared on resume and replay. */
  hash: z.string(),
  /** True in a trial in which any role has a simulated agent. */
  simulated: z.boolean().optional(),
  /** Time of the branch's clock at the start of the step, and the step's duration; ms. */
  at: z.number(),
  durationMs: z.number().nonnegative(),
  /** From the last iteration note before the step. */
  iteration: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
})
