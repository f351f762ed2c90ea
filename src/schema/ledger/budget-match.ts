import { z } from 'zod'

/** In what a spend is counted. */
export const matchUnits = ['tokens', 'dollars', 'calls'] as const

/** Another method whose mean spend on a task a control is to match, in attempts that each cost what the baseline costs. */
export const BudgetMatch = z.object({
  /** Label of the method that is matched. */
  method: z.string(),
  unit: z.enum(matchUnits),
  /** Label of the baseline: one attempt. */
  baseline: z.string(),
})
export type BudgetMatch = z.infer<typeof BudgetMatch>

/** The budget of a trial that matches: what was spent on its task, and the attempts that come nearest to it. */
export const MatchedBudget = z.object({
  method: z.string(),
  unit: z.enum(matchUnits),
  /** Means per trial of the matched method and of the baseline. */
  spent: z.number().nonnegative(),
  baseline: z.number().nonnegative(),
  attempts: z.int().positive(),
})
export type MatchedBudget = z.infer<typeof MatchedBudget>
