import type { Agent } from '../../agents/agent.ts'
import type { ResultMemory } from '../../graders/result-memory.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Capture } from '../../schema/run/run.ts'
import type { CheckResult, TraceEvent } from '../../strategy.ts'
import type { Redactor } from '../../text/redact.ts'
import type { RateLimiter } from '../budget/rate-limiter.ts'
import type { RunBudget } from '../budget/run-budget.ts'
import type { TrialBill } from '../budget/spending.ts'
import type { Blobs } from '../journal/blobs.ts'
import type { Journal } from '../journal/journal.ts'
import type { TrialJournal } from '../journal/ledger-index.ts'
import type { RowAgents, TrialPlan } from '../plan/row-agents.ts'
import type { Approvals, People, TrialPeople } from '../record/people.ts'
import type { Branch, OpenedBranch } from './branch.ts'
import type { State } from './workspace.ts'

/** What all trials of a run share. */
export interface RunState {
  mode: 'dev' | 'live'
  agents: RowAgents
  /** Who judges the work of tasks with a rubric. */
  judges: readonly Agent[]
  sandbox: SandboxRun
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
  /** The method has ended: code that it left running cannot begin effects. */
  hasEnded: boolean
  /** Aborts when the method is ended from outside: its branches are not awaited. */
  abandoned: AbortController
  /** Cuts off calls in flight when the trial breaks or is abandoned; undefined when no code is the user's and no tool is called. */
  callAbort?: AbortController | undefined
  /** Calls to agents that have no reply yet. */
  pendingCalls: Set<{ agent: Agent; role: string }>
  /** Candidates so far; undefined when the run does not grade them. */
  candidates?: UngradedCandidate[] | undefined
  /** Results of the visible checks by digest of the files, for agents that run them themselves. */
  checkResults: Map<string | null, Promise<CheckResult>>
  /** HOME folders of agents, by the path of their branch or by their conversation of the trial. */
  homes: Map<string, string>
  /** Effects that a user's method has begun and not awaited yet; undefined for built-in methods. */
  unawaitedEffects?: Set<{ what: string }> | undefined
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

type Beginning = Pick<
  TrialState,
  'root' | 'phase' | 'hasEnded' | 'abandoned' | 'pendingCalls' | 'checkResults' | 'homes' | 'openedBranches'
>

/** Returns the state of a trial that begins in a branch, and has asked nobody yet. */
export const beginning = (root: Branch): Beginning => ({
  ...{ root, phase: 'running', hasEnded: false, abandoned: new AbortController() },
  pendingCalls: new Set(),
  checkResults: new Map(),
  homes: new Map(),
  openedBranches: [],
})
