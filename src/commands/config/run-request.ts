import type { RunEvent } from '../../loop/state/events.ts'

/** What to run: the options of `bench run`, with lists as arrays or as one text, and numbers as numbers. */
export interface RunRequest {
  /** As after `--tasks`. */
  tasks?: string | readonly string[]
  /** As after `--methods`. */
  methods?: string | readonly string[]
  /** The agent for all roles, as `provider:model`. */
  agents?: string
  /** Agents for single roles. */
  agentByRole?: Readonly<Record<string, string>>
  mode?: 'dev' | 'live'
  /** Profile of the simulated agents: a name or a file. */
  profile?: string
  /** A file of prices that win over the table of list prices. */
  prices?: string
  epochs?: number
  seed?: number
  /** Trials at once. */
  parallel?: number
  /** Limits of each trial. In live mode 500 calls where `calls` is absent; null is no limit. */
  limits?: { calls?: number | null; checks?: number; tokens?: number; costUsd?: number; timeMs?: number }
  /** Limits of the run, which stop it: see `RunResult.limits`. Null lifts one that a resumed run has. */
  runLimits?: GivenLimits
  /** The same of methods, by label; `*` is each. */
  methodLimits?: Readonly<Record<string, GivenLimits>>
  /** Most retries of an ask whose failure may pass; 3. */
  retries?: number
  /** Faults on purpose, each as after `--inject`. */
  inject?: readonly string[]
  baseline?: string
  /** The pairs that are compared: all, or each method with the baseline. */
  family?: 'all' | 'baseline'
  /** What they are compared by. */
  outcome?: 'success' | 'score'
  /** The difference that still counts as no worse, in percentage points. */
  margin?: number
  /** `settled`, or `settled:SEQUENCE`: the run stops when it is settled, pair by pair, who is better. */
  stopWhen?: string
  /** Tests simulated numbers too, to see how often the procedures are wrong. */
  calibration?: boolean
  /** Conditions as after `--fail-if`: see `RunResult.held`. */
  failIf?: string | readonly string[]
  /** What methods that ask a person are answered; yes. */
  approve?: 'yes' | 'abort'
  /** What code runs in, as after `--sandbox`. */
  sandbox?: string
  /** Runs code of paid agents, and agents that are programs, where the sandbox does not hold every attack. */
  allowUnsandboxed?: boolean
  /** Grades what agents made on the way, too. */
  gradeCandidates?: boolean
  /** As after `--match-budget`. */
  matchBudget?: string
  /** The run folder. */
  out?: string
  /** Go on with this run folder; then only what does not change its trials may stand beside it: `parallel`, limits of run and methods, `failIf`, `retryErrors` and the like. */
  resume?: string
  /** With `resume`: run the trials again that ended in error. */
  retryErrors?: boolean
  /** With `resume`: take the folder from a dead bench of another machine or container. */
  takeOver?: boolean
  /** With `resume`: mend a folder on which two bench were at work; warnings say what was dropped. */
  repair?: boolean
  /** With `resume`: run the code that a run of somebody else names. */
  trustCode?: boolean
  /** A config file, over which this request wins; none is looked for. */
  config?: string
  /** A free request instead of tasks: a file with its text, and the folder to work on, which is only read. */
  instruction?: string
  workspace?: string
  /** Paths in the workspace that are taken although they are left out: ignored by git, or like a key. */
  include?: readonly string[]
  /** Takes a workspace of more than 200 files or 2 MB. */
  yes?: boolean
  /** Names of further environment variables whose values are redacted; those named like keys are anyway. */
  secrets?: readonly string[]
  /** Goes on although a method fails alike in its first five trials, or no ask is answered: see `RunResult.inVain`. */
  keepGoing?: boolean
  /**
   * Ends this process when code of a strategy or a script has blocked its main thread for so many seconds after that was told on
   * stderr, ten seconds after it began. Absent: it is told, and the process goes on.
   */
  endBlocked?: number
  /** Ends the run cleanly; it can be resumed. */
  signal?: AbortSignal
  onEvent?: (event: RunEvent) => void
}

/** Limits by unit; time in ms. Null is no limit. */
export interface GivenLimits {
  calls?: number | null
  tokens?: number | null
  costUsd?: number | null
  timeMs?: number | null
}
