import { z } from 'zod'
import { settings } from '../settings/settings.ts'

/** A stop rule, fixed before the first interim look. A run may stop for its results only by such a rule. */
export const StopRule = z.object({
  /** `mcnemar`: one trial per task that passes or fails. The others use means of epochs; `asymptotic` is narrower and approximate. */
  sequence: z.enum(['mcnemar', 'empirical-bernstein', 'asymptotic']),
  /** Probability of any false stop, over all comparisons. */
  alpha: z.number().gt(0).lt(1),
  comparisons: z.int().positive(),
  /** The expected number of tasks at the stop; only for `asymptotic`. */
  hopedTasks: z.int().positive(),
})
export type StopRule = z.infer<typeof StopRule>

/** The plan of the comparison, fixed before the run. */
export const ComparisonPlan = z.object({
  /** The family of tests for the adjustment of p-values: all pairs, or each method against the baseline. */
  family: z.enum(['all-pairs', 'baseline']),
  /** The primary outcome. */
  outcome: z.enum(settings.outcome.value),
  /** Non-inferiority margin, as a share; null if there is none. */
  margin: z.number().gt(0).lt(1).nullable(),
  /** The run stops when this rule settles every pair of the family; absent: it runs to the end. */
  stop: StopRule.optional(),
  /** Simulated numbers are tested, too, to measure the error rates of the procedures, never to compare methods. */
  calibration: z.literal(true).optional(),
})
export type ComparisonPlan = z.infer<typeof ComparisonPlan>

/** The plan for runs without one. */
export const defaultComparison: ComparisonPlan = { family: 'all-pairs', outcome: 'success', margin: null }
