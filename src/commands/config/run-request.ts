import type { RunEvent } from '../../loop/branch/run-session.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'

/** A run: the options of `bench run`. A list is an array or a comma-separated string. */
export interface RunRequest {
  /** Tasks, as for `--tasks`. */
  tasks?: string | readonly string[]
  /** Leaves out tasks of `NAME:PATH` that cannot be read; the report counts them. */
  skipInvalid?: boolean
  /** Only tasks with one of these tags. */
  tag?: string | readonly string[]
  /** Only tasks for which all conditions hold, such as `difficulty>=0.5`. */
  where?: string | readonly string[]
  /** A sample of so many tasks, by suite and difficulty, drawn by the seed. */
  sample?: number
  /** Methods, as for `--methods`. */
  methods?: string | readonly string[]
  /** Agent for all roles, as `provider:model`. */
  agents?: string
  /** Agents for single roles. */
  agentByRole?: Readonly<Record<string, string>>
  /** The agents that judge tasks with a rubric, as for `--judges`. */
  judges?: string | readonly string[]
  mode?: 'dev' | 'live'
  /** Tools that agents may call before they answer, as for `--tools`; default none. An empty list gives none, as `none` does. */
  tools?: string | readonly string[]
  /** The most turns of one ask with tools, the answer included; default 20. */
  toolTurns?: number
  /** Behaviour profile of the simulated agents: a name or a file. */
  profile?: string
  /** File of prices that override the list prices. */
  prices?: string
  epochs?: number
  seed?: number
  /** Trials that run at the same time. */
  parallel?: number
  /** Limits of each trial. In live mode `calls` defaults to 500; null is no limit. */
  limits?: { calls?: number | null; checks?: number; tokens?: number; costUsd?: number; timeMs?: number }
  /** Limits that stop the run: see `RunResult.limits`. Null lifts a limit of a resumed run. */
  runLimits?: GivenLimits
  /** Limits of methods, by label; `*` is every method. */
  methodLimits?: Readonly<Record<string, GivenLimits>>
  /** Maximum retries of a call after a temporary failure; default 3. */
  retries?: number
  /** Faults to inject, each as for `--inject`. */
  inject?: readonly string[]
  baseline?: string
  /** Pairs to compare: all, or each method with the baseline. */
  family?: 'all' | 'baseline'
  /** What to compare. */
  outcome?: 'success' | 'score'
  /** Non-inferiority margin, in percentage points. */
  margin?: number
  /** `settled` or `settled:SEQUENCE`: stops the run once the result of every pair is settled. */
  stopWhen?: string
  /** Tests simulated results too, to measure how often the statistical procedures err. */
  calibration?: boolean
  /** Conditions, as for `--fail-if`: see `RunResult.held`. */
  failIf?: string | readonly string[]
  /** Who answers when a method asks a person; default yes, or for `resume` as before. `park`: see `RunResult.waiting`. */
  approve?: 'yes' | 'abort' | 'park' | `file:${string}`
  /** Sandbox for code, as for `--sandbox`. */
  sandbox?: string
  /** Runs code of paid agents, and agent programs, even if the sandbox does not stop every attack. */
  allowUnsandboxed?: boolean
  /** Lets agent programs use what their provider runs, such as a web search; recorded as tools of the row. */
  allowProviderTools?: boolean
  /** Runs although a limit in dollars or tokens cannot count some calls, since a price or a count is unknown. */
  allowUnpriced?: boolean
  /** Grades intermediate answers too. */
  gradeCandidates?: boolean
  /** Of which trials `workspaces/TRIAL` of the run folder is kept; default none, or for `resume` as before. */
  keepWorkspaces?: KeepWorkspaces
  /** A budget to match, as for `--match-budget`. */
  matchBudget?: string
  /** Run folder. */
  out?: string
  /** Run folder to resume. Only fields that do not change its trials may be set too: `parallel`, limits of run and methods, `keepWorkspaces`, `failIf`, `retryErrors` and the like. */
  resume?: string
  /** With `resume`: goes on although tasks, scripted agents or strategy files have changed. */
  acceptChanges?: boolean
  /** With `resume`: runs trials again that ended in error. */
  retryErrors?: boolean
  /** With `resume`: takes the folder from a bench process that died on another machine or in another container. */
  takeOver?: boolean
  /** With `resume`: repairs a folder that two bench processes wrote to; warnings report what is dropped. */
  repair?: boolean
  /** Allows what documents, the config file or a run of somebody else name: keys, addresses, code, programs, files. */
  trustCode?: boolean
  /** Config file, which this request overrides; there is no default. */
  config?: string
  /** File with the text of a free request, to run instead of tasks. */
  instruction?: string
  /** With `instruction`: the folder to work on, which is only read. */
  workspace?: string
  /** Paths of the workspace to include although git ignores them or they look like a key. */
  include?: readonly string[]
  /** Accepts a workspace of more than 200 files or 2 MB. */
  yes?: boolean
  /** Names of more environment variables whose values are redacted, besides those with the name of a key. */
  secrets?: readonly string[]
  /** Continues although a method fails in the same way in its first five trials, or no ask is answered: see `RunResult.inVain`. */
  keepGoing?: boolean
  /**
   * Seconds after which this process ends when code of a strategy or a script blocks its main thread. They count from the warning
   * on stderr, which comes ten seconds after the block began. Default: only the warning.
   */
  endBlocked?: number
  /** Ends the run cleanly when aborted; the run can be resumed. */
  signal?: AbortSignal
  onEvent?: (event: RunEvent) => void
}

/** Limits by unit; time in milliseconds. Null is no limit. */
export interface GivenLimits {
  calls?: number | null
  tokens?: number | null
  costUsd?: number | null
  timeMs?: number | null
}
