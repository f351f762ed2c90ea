import { z } from 'zod'

/** What `--notify` sends at the end of `bench run`, as JSON. */
export const Notification = z.strictObject({
  schemaVersion: z.literal(1),
  /** The name of the run folder, without the folders above it. */
  run: z.string(),
  /**
   * `complete`: all trials have ended, or the results are settled. `limited`: a limit stopped it. `parked`: trials wait for a
   * person. `paused`: `bench pause` stopped it. `interrupted`: a person or a signal stopped it. `stopped`: going on would only have cost money. `failed`: bench or
   * the disk broke.
   */
  status: z.enum(['complete', 'limited', 'parked', 'paused', 'interrupted', 'stopped', 'failed']),
  /** Why it ended early; null if it is complete. */
  reason: z.string().nullable(),
  /** The exit code of bench. */
  exitCode: z.int(),
  /** Trials of the plan, those with a record, and those of them that ended in error. Null if the run failed. */
  trials: z.int().nonnegative().nullable(),
  done: z.int().nonnegative().nullable(),
  errors: z.int().nonnegative().nullable(),
  /** Whether the numbers are simulated. */
  simulated: z.boolean().nullable(),
  /** US dollars of all calls in the ledger, those of trials that have not ended and of judges included; null if unknown. */
  costUsd: z.number().nonnegative().nullable(),
  /** Whether the cost of some calls is unknown, or some were cut off, so that `costUsd` may be too low. */
  costIsLowerBound: z.boolean(),
  methods: z.array(
    z.strictObject({
      method: z.string(),
      agents: z.string(),
      graded: z.int().nonnegative(),
      passed: z.int().nonnegative(),
      /** The success rate, a mean over tasks; null if nothing was graded. */
      success: z.number().nullable(),
      costUsd: z.number().nonnegative().nullable(),
    }),
  ),
  /** The trials that wait for a person, each with its question; `bench approve` answers. */
  waiting: z.array(z.strictObject({ trial: z.string(), question: z.string() })),
})
export type Notification = z.infer<typeof Notification>
