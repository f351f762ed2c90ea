import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { BudgetAlert } from '../budget/run-budget.ts'

/** Events of a running run. The loop emits them; commands print them. */
export type RunEvent =
  | {
      type: 'start'
      folder: string
      trials: number
      done: number
      parallel: number
      planned?: string
      /** Level and name of the sandbox that code runs in; absent if none runs. */
      sandbox?: string
      /** The run's limit in US dollars, and what earlier sessions used of it; absent without such a limit. */
      costUsd?: { of: number; used: number }
    }
  /** `number`: the place of the task among those that were prepared, of `tasks` tasks in all. */
  | { type: 'prepare'; task: string; state: 'begin' | 'end'; number: number; tasks: number }
  /** `at`: when it ended, in milliseconds since 1970. */
  | { type: 'trial'; record: TrialRecord; done: number; trials: number }
  | { type: 'divergence'; message: string }
  | { type: 'lost'; trial: string; calls: number }
  | ({ type: 'alert' } & BudgetAlert)
  | { type: 'warning'; message: string }
