import type { Agent } from '../../agents/agent.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { PastSession, SessionSandbox } from '../../schema/ledger/session.ts'
import type { Budgets } from '../../schema/limits.ts'
import type { Task } from '../../schema/task.ts'
import type { Strategy } from '../../strategy.ts'
import type { BudgetShare } from '../budget/budget-share.ts'
import type { BudgetAlert } from '../budget/run-budget.ts'
import type { Plan } from '../plan/plan.ts'
import type { RunState } from './trial-state.ts'

/** Events of a running run. The loop emits them; commands print them. */
export type RunEvent =
  | {
      type: 'start'
      folder: string
      trials: number
      done: number
      /** 0: workers do them. */
      parallel: number
      planned?: string
      /** Level and name of the sandbox that code runs in; absent if none runs. */
      sandbox?: string
      /** The run's limit in US dollars, and what earlier sessions used of it; absent without such a limit. */
      costUsd?: { of: number; used: number }
      /** No agent is paid, and some are simulated: so are the dollars. */
      simulatedUsd?: true
      /** The replies are recorded: nobody pays the dollars now. */
      recordedUsd?: true
    }
  /**
   * `number`: the place of the task among those that were prepared, of `tasks` tasks in all. `tries`: wrong solutions are tried out,
   * for simulated agents.
   */
  | { type: 'prepare'; task: string; state: 'begin' | 'end'; number: number; tasks: number; tries: boolean }
  /** `at`: when it ended, in milliseconds since 1970. */
  | { type: 'trial'; record: TrialRecord; done: number; trials: number }
  | { type: 'divergence'; message: string }
  | { type: 'lost'; trial: string; calls: number }
  | ({ type: 'alert' } & BudgetAlert)
  | { type: 'warning'; message: string }

/** What a session settles for all of its trials. */
type SharedField =
  | 'mode'
  | 'agents'
  | 'judges'
  | 'sandbox'
  | 'openSandbox'
  | 'toolFiles'
  | 'checkMs'
  | 'approvals'
  | 'redact'
  | 'capture'
  | 'gradeCandidates'
  | 'memory'
  | 'verdicts'
  | 'recorded'
  | 'userCode'

/** A sitting of work on a run, or a replay of it, that is ready to start: its folder, its plan, and the objects that the plan's names refer to. */
export interface Session extends Pick<RunState, SharedField> {
  folder: string
  /** Printed beside the plan's size. */
  planned?: string
  plan: Plan
  /** Of a run whose plan was changed: returns the plan in which recorded trials of earlier plans keep their places. */
  replan?: () => Plan
  /** Of such a run: the names that tasks had in earlier plans. */
  earlierTasks?: ReadonlySet<string>
  tasks: ReadonlyMap<string, Task>
  strategies: ReadonlyMap<string, Strategy>
  /** All agents of `agents` and the judges, each once. */
  uniqueAgents: readonly Agent[]
  /** What code runs in; undefined if none runs. */
  sandboxed?: SessionSandbox | undefined
  budgets?: Budgets | undefined
  /** Its part of the limits, where other sessions work on other folders of the run; absent: all is its own. */
  budgetShare?: BudgetShare | undefined
  /** The part of the run that the folder does; absent: all of it. */
  shard?: PastSession['shard']
  /** False: a limit that cannot count the calls of an agent stops the run. Undefined where nothing is paid. */
  allowUnpriced?: boolean | undefined
  /** Of which trials the workspace is kept; of none by default. */
  keepWorkspaces?: KeepWorkspaces | undefined
}
