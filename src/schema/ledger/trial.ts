import type { AgentSettings } from '../agent/agent-settings.ts'
import type { Faults } from '../agent/faults.ts'
import type { Budget, Limits } from '../limits.ts'
import type { BudgetMatch } from './budget-match.ts'

/** A strategy with its options, as given after `--methods`. */
export interface Method {
  /** As written in tables: `sequential`, `sequential[maxInner=5]`, or the label before `=`. */
  label: string
  strategy: string
  /** Resolved, defaults filled in. */
  options: Readonly<Record<string, unknown>>
  /** SHA-256 of the strategy's source. */
  digest: string
  /** Where a strategy of the user's own came from; never part of an id. */
  file?: string | undefined
  /** Its roles; never part of an id. */
  roles?: string[] | undefined
  /** Agents by role, over those of the run. */
  agents?: Readonly<Record<string, string>> | undefined
  /** Of each of its trials, over those of the run. */
  limits?: Limits | undefined
  /** The method whose spend decides how many attempts it makes. */
  match?: BudgetMatch | undefined
}

/** One cell of the plan: task x method x agents. Its epochs are its trials. */
export interface Cell {
  /** Ref of the task. */
  task: string
  taskDigest: string
  method: Method
  /** Agents by role; `*` stands for all others. */
  agents: Readonly<Record<string, string>>
  /** The set's label, where the run has several; never part of an id. */
  agentSet?: string | undefined
  /** What is set of these agents beside their names; absent where nothing is. */
  agentSettings?: AgentSettings | undefined
  profile: { name: string; digest: string } | null
  limits: Limits
  /** Of each ask, where the strategy says nothing; absent where there are none. */
  askLimits?: Budget | undefined
  /** Most retries of an ask; absent where there are none. */
  retries?: number | undefined
  /** Faults that are injected on purpose; absent where there are none. */
  faults?: Faults | undefined
  seed: number
}

/** One attempt. The id is made of a hash of its cell and its epoch, so equal trials of two runs have one id. */
export interface Trial {
  id: string
  cell: Cell
  /** From 1. */
  epoch: number
}
