import type { Agent } from '../../agents/agent.ts'
import type { ResultMemory } from '../../graders/result-memory.ts'
import type { Verdicts } from '../../graders/verdicts/verdicts.ts'
import type { Sandbox } from '../../sandbox/open-sandbox.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Capture } from '../../schema/run/run.ts'
import type { CheckResult, StrategyContext, TraceEvent } from '../../strategy.ts'
import type { AgentError, LimitError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import type { RateLimiter } from '../budget/rate-limiter.ts'
import type { RunBudget } from '../budget/run-budget.ts'
import type { Bill, TrialBill } from '../budget/spending.ts'
import type { Blobs } from '../journal/blobs.ts'
import type { Journal } from '../journal/journal.ts'
import type { TrialJournal } from '../journal/ledger-index.ts'
import type { RowAgents, TrialPlan } from '../plan/row-agents.ts'
import type { Approvals, People, TrialPeople } from '../record/people.ts'
import type { Shared } from './shared.ts'
import type { State } from './workspace.ts'

/** What all trials of a run share. */
export interface RunState {
  mode: 'dev' | 'live'
  agents: RowAgents
  /** Who judges the work of tasks with a rubric. */
  judges: readonly Agent[]
  sandbox: SandboxRun
  /** Opens the sandbox that `sandbox` runs programs in, for a gateway beside it; undefined where nothing is asked. */
  openSandbox?: (() => Promise<Sandbox>) | undefined
  /** Undefined on replay: steps only come from the journal, and nothing is written. */
  journal: Journal | undefined
  blobs: Blobs
  /** Writes a trace event. A replay writes none, but compares those of graphs. */
  event: ((trial: string, key: string, event: TraceEvent) => void) | undefined
  /** Undefined where neither the run nor a method has limits. */
  runBudget?: RunBudget | undefined
  /** Delays calls to keep within the rates of their accounts; undefined on replay. */
  rateLimiter?: RateLimiter | undefined
  /** Fixed virtual duration of a check in dev mode, in ms. */
  checkMs: number
  /** On replay: grades again instead of using the journaled grades. */
  regrade?: true
  /** Results of graders and checks that are used again; only in simulations that plan a run. */
  memory?: ResultMemory | undefined
  /** Verdicts of code that a file keeps; undefined where none are used, and on replay. */
  verdicts?: Verdicts | undefined
  /** The replies are recorded, so the time of a trial is unknown: that of its checks would stand for it. */
  recorded?: true | undefined
  /** Candidates of producing roles are graded as well. */
  gradeCandidates?: true | undefined
  /** Who answers `approve()`. */
  approvals: Approvals
  /** What people say about the run; undefined on replay, where the journal says it. */
  people?: People | undefined
  signal: AbortSignal
  /** Which outputs of the method become artifacts; all by default. */
  capture?: Capture | undefined
  /** Prints a warning to the user. */
  warn?: ((message: string) => void) | undefined
  /** Removes secrets from everything that goes to and comes from agents and strategies; undefined where there are none. */
  redact?: Redactor | undefined
  /** Some strategy or agent is a user's code in this process; see `user-code.ts`. */
  userCode?: true | undefined
  /** Contents of the files that tools declare, by SHA-256; undefined where no tool does. */
  toolFiles?: ReadonlyMap<string, string> | undefined
  /** Running trials, so that a stalled one can be ended. */
  running: TrialState[]
}

/** What a strategy gets for one branch. Each has its own roles and options; `ask` checks the role. */
// biome-ignore lint/suspicious/noExplicitAny: see the line above
export type Context = StrategyContext<any, any>

/** Replaces a text that may contain the reference solution. */
export const withheldText = '(withheld: it may hold the reference solution)'

/**
 * What ends a trial before its method does. A trial that is stopped is not broken, since it has no outcome yet: a limit of the run or
 * of the method refused an effect, or nobody answered. A broken one ends in error: an agent never replied, or a user's code threw where
 * nothing awaited it. Neither excludes that the method has ended, that it was abandoned, or that a person aborted.
 */
type TrialPhase = 'running' | 'stopped' | { broken: Error }

/** One running trial. The four parts belong to rooms of their own; the rest is what its method and its agents do now. */
export interface TrialState {
  run: RunState
  plan: TrialPlan
  journal: TrialJournal
  bill: TrialBill
  people: TrialPeople
  phase: TrialPhase
  /** The error that the trial ends in when its method has ended; see `spoil`. */
  spoilt?: Error
  /** The method has ended: code that it left running cannot begin effects. */
  hasEnded: boolean
  /** Aborts when the method is ended from outside: its branches are not awaited. */
  abandoned: AbortController
  /** Cuts off calls in flight when the trial breaks or is abandoned; undefined when no code is the user's and no tool is called. */
  callAbort?: AbortController | undefined
  /** Calls to agents that have no reply yet. */
  pendingCalls: Set<{ agent: Agent; role: string }>
  /** Asks of producing roles that had earlier work before them, and those that changed it. */
  revisions: { asks: number; changed: number }
  /** What was repaired in the data of replies, and in how many. */
  repairedData: Map<string, number>
  /** Candidates so far; undefined when the run does not grade them. */
  candidates?: UngradedCandidate[] | undefined
  /** Results of the visible checks by digest of the files, for agents that run them themselves. */
  checkResults: Map<string | null, Promise<CheckResult>>
  /** HOME folders of agents, by the path of their branch or by their conversation of the trial. */
  homes: Map<string, string>
  /** Effects that a user's method has begun and not awaited yet; undefined for built-in methods. */
  unawaitedEffects?: Set<{ what: string }> | undefined
  /** The asks by the recorded reply that they want. */
  samples: Map<string, string>
  /** Branches that the method has opened so far. */
  openedBranches: OpenedBranch[]
  /** The branch that the method starts in. */
  root: Branch
}

/** A candidate before it is graded: what a producing role's ask left in its branch, or what the strategy noted. */
export interface UngradedCandidate {
  /** The ask's key, or the note's. */
  key: string
  role: string
  /** Milliseconds of the trial's clock. */
  at: number
  /** Key of the candidate that its files and answer are based on; undefined: the task's own files. */
  from: string | undefined
  state: State
}

/**
 * One line of work inside a trial, with its own key space, clock and bill. Its effects are named by its path and a
 * counter, so parallel branches get the same names whatever their timing.
 */
export interface Branch {
  trialState: TrialState
  /** Empty for the root. */
  path: string
  /** Where it was opened: the parent's own place, then the parent's counts of effects and of groups at that moment. */
  openedAt: readonly number[]
  counter: number
  notes: number
  /** Milliseconds since the trial began. Only this branch's steps move it. */
  clock: number
  /** The parent's bill when this branch was opened, plus its own spending since. */
  bill: Bill
  state: State
  iteration?: Record<string, number | string> | undefined
  /** The last answered ask; undefined when branches were opened since. See `noteCandidate`. */
  lastAsk?: { key: string; role: string } | undefined
  /** The stage whose asks it holds: its id, and its place among the effects of its parent. */
  stage?: { id: string; at: number; failedAsk?: AgentError; director?: Director }
  busy: boolean
  /** The last effect. The trial waits for it even when the strategy does not. */
  effect?: Promise<unknown>
  group?: Group | undefined
  /** Number of groups opened under this branch. */
  groups: number
  /** How often each name was used for a child branch. */
  names: Map<string, number>
  /** Aborts with the run, or when another branch of a `first` has won. */
  signal: AbortSignal
  /** Whether it lost a `first`: recorded effects are still replayed, new ones are not begun. */
  lost: boolean
  /** Whether it has been joined. */
  ended: boolean
  /** It is in a `first`, which alone joins what it shares, if it wins. */
  isRacing?: true
  /** Called when what it shares has changed. Set for the root only. */
  onShared?: () => void
  /** Whether the method has put other files in the place of its own. */
  hasAdopted?: true
  /** Set when a limit of the trial refused or cut off an effect in this branch or below it: it does nothing more. */
  refused?: Refusal
  /** How many refusals its work has ignored; starts at the parent's count. */
  refusals: number
  /** Ends its work from outside; see `rejectEffect`. */
  giveUp?: (error: Error) => void
}

/** The agent that directs others in a stage. */
export interface Director {
  role: string
  /** Does what it asks of a role; returns what it reads of it, undefined if the work has ended by that. */
  perform(role: string, brief: string): Promise<string | undefined>
  /** The result with which it ended. */
  finished?: string
}

interface Refusal {
  at: number
  error: LimitError
}

/** Branches that are open together. */
export interface Group {
  /** `billAtStart` and `sharedAtStart` are what the branch began with. */
  members: {
    branch: Branch
    billAtStart: Bill
    sharedAtStart: Shared
    /** It wrote the same as a branch beside it. */
    conflict?: Error | undefined
    release(): void
  }[]
  pending: number
  /** The error of a member that was ended from outside, if any. */
  gaveUp: Error | undefined
  done: Promise<void>
  finish(): void
}

/** What a branch has produced: its files and its answer. */
export type BranchWork = Pick<State, 'changed' | 'answer'>

interface OpenedBranch {
  branch: Branch
  above: Branch
  before: BranchWork
}
