import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { BudgetAlert } from '../budget/run-budget.ts'

/** Events of a running run. The loop emits them; commands print them. */
export type RunEvent =
  | { type: 'start'; folder: string; trials: number; done: number; parallel: number; planned?: string }
  | { type: 'prepare'; task: string; state: 'begin' | 'end' }
  /** `at`: when it ended, in milliseconds since 1970. */
  | { type: 'trial'; record: TrialRecord; done: number; trials: number }
  | { type: 'divergence'; message: string }
  | { type: 'lost'; trial: string; calls: number }
  | ({ type: 'alert' } & BudgetAlert)
  | { type: 'warning'; message: string }
