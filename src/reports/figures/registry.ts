import type { FigureData } from '../../analysis/figures/figure-data.ts'
import { compliance } from './compliance.ts'
import { contextGrowth } from './context-growth.ts'
import { ranks } from './ranks.ts'
import { success } from './success.ts'
import { successAgainstCost, successAgainstTokens } from './success-against.ts'
import { successAtBudget } from './success-at-budget.ts'
import { taskDifferences } from './task-differences.ts'
import { tokensByRole } from './tokens-by-role.ts'

type Figure = (data: FigureData) => string

/** All figures by the name for `--figure` and for their file. A new figure is a file beside these and a line here. */
export const figures = {
  success,
  'success-cost': successAgainstCost,
  'success-tokens': successAgainstTokens,
  'success-budget': successAtBudget,
  'tokens-by-role': tokensByRole,
  'task-differences': taskDifferences,
  ranks,
  'context-growth': contextGrowth,
  compliance,
} as const satisfies Record<string, Figure>

/** The names that `--figure` takes. */
export type FigureName = keyof typeof figures
