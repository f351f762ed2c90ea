import { z } from 'zod'

/** The units of a matched budget. */
export const matchUnits = ['tokens', 'dollars', 'calls'] as const

/** The method whose mean spending on a task a control matches, by attempts that each cost as much as the baseline. */
export const BudgetMatch = z.object({
  /** Label of the matched method. */
  method: z.string(),
  unit: z.enum(matchUnits),
  /** Label of the baseline, which is one attempt. */
  baseline: z.string(),
})
export type BudgetMatch = z.infer<typeof BudgetMatch>

/** The budget of a matching trial: the spending on its task, and the nearest number of attempts. */
export const MatchedBudget = z.object({
  method: z.string(),
  unit: z.enum(matchUnits),
  /** Means per trial of the matched method and of the baseline. */
  spent: z.number().nonnegative(),
  baseline: z.number().nonnegative(),
  attempts: z.int().positive(),
})
export type MatchedBudget = z.infer<typeof MatchedBudget>
