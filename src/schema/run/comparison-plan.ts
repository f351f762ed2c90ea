import { z } from 'zod'

/** A rule fixed before the first look; the only kind under which a run may stop for its results. */
export const StopRule = z.object({
  /** `mcnemar`: one trial a task that passes or fails. The others: means of epochs; `asymptotic` is narrower and approximate. */
  sequence: z.enum(['mcnemar', 'empirical-bernstein', 'asymptotic']),
  /** Chance of a false stop, ever, over all comparisons. */
  alpha: z.number().gt(0).lt(1),
  comparisons: z.int().positive(),
  /** Where one hopes to stop, in tasks; only `asymptotic` uses it. */
  hopedTasks: z.int().positive(),
})
export type StopRule = z.infer<typeof StopRule>

/** What is to be compared, as it was fixed before the run. */
export const ComparisonPlan = z.object({
  /** All pairs, or each method against the baseline: the tests that one another's p-values are adjusted for. */
  family: z.enum(['all-pairs', 'baseline']),
  /** The primary outcome. */
  outcome: z.enum(['success', 'score']),
  /** The difference that still counts as no worse, as a share; null: none. */
  margin: z.number().gt(0).lt(1).nullable(),
  /** The run stops when every pair of the family is settled by this rule; absent: it runs to its end. */
  stop: StopRule.optional(),
  /** Simulated numbers are tested too: to see how often the procedures are wrong, never to compare methods. */
  calibration: z.literal(true).optional(),
})
export type ComparisonPlan = z.infer<typeof ComparisonPlan>

/** What runs that state no plan are compared by. */
export const defaultComparison: ComparisonPlan = { family: 'all-pairs', outcome: 'success', margin: null }
