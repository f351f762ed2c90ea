import type { Agent, JudgedWork } from '../../agents/agent.ts'
import type { KindOfWork } from '../../ask.ts'
import type { ResultMemory } from '../../graders/result-memory.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { PeopleCounts, ToolRun } from '../../schema/ledger/record.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { Capture } from '../../schema/run/run.ts'
import type { SandboxLevel } from '../../schema/sandbox-level.ts'
import type { Task } from '../../schema/task.ts'
import type { CheckResult, Strategy, TraceEvent } from '../../strategy.ts'
import type { Redactor } from '../../text/redact.ts'
import type { ErrorLocation } from '../../user-code/error-location.ts'
import type { RateLimiter } from '../budget/rate-limiter.ts'
import type { RunBudget } from '../budget/run-budget.ts'
import type { Bill } from '../budget/spending.ts'
import type { Blobs } from '../journal/blobs.ts'
import type { LedgerChecksum } from '../journal/checksum.ts'
import type { Journal } from '../journal/journal.ts'
import type { PastTrial } from '../journal/ledger-index.ts'
import type { Approvals, People } from '../record/people.ts'
import type { Branch, OpenedBranch } from './branch.ts'
import type { Asked } from './call-order.ts'
import type { UngradedCandidate } from './ungraded-candidate.ts'

/** What all trials of a run share. */
export interface RunState {
  mode: 'dev' | 'live'
  agents: ReadonlyMap<string, TrialState['agents']>
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

/** The mutable state of one running trial. */
export interface TrialState {
  run: RunState
  trial: Trial
  task: Task
  /** The task's ref: its name in the run without the version that an accepted change adds. */
  taskRef: string
  strategy: Strategy
  /** The strategy's roles under the method's options. `agents` names the agent of each. */
  roles: Readonly<Record<string, KindOfWork>>
  agents: Readonly<Record<string, Agent>>
  /** The method's options, with the attempts of a matched budget. */
  options: Readonly<Record<string, unknown>>
  matched?: MatchedBudget
  /** Of the state in which a judge is asked: the work that it judges. Its asks are on no method's bill. */
  judgedWork?: JudgedWork | undefined
  /** What the judges used so far; undefined: nobody was asked. */
  judging?: Bill | undefined
  /** This trial's steps from earlier sessions. */
  recorded?: PastTrial | undefined
  /** Checksum of its lines in the ledger, including those of earlier sessions. */
  ledgerChecksum: LedgerChecksum
  /** A limit of the run or the method refused an effect: the trial stops and has no outcome yet. */
  stopped: boolean
  /** An agent never replied, or a user's code threw where nothing awaited it: the trial stops and ends in error. */
  broken?: Error
  /** Cuts off calls in flight when the trial breaks or is given up; undefined when no code is the user's and no tool is called. */
  callAbort?: AbortController | undefined
  /** Calls to agents that have no reply yet. */
  pendingCalls: Set<{ agent: Agent; role: string }>
  /** Number of answered asks of producing roles. */
  produced: number
  /** Those of them that had earlier work before them, and those that changed it. */
  revisions: { asks: number; changed: number }
  /** An agent gave a reply that must not be journaled; later prompts may contain it. */
  secret: boolean
  simulated: boolean
  paid: boolean
  /** Every attempt of every ask, for the phase history and the fidelity check. */
  asked: (Asked & { step: AskStep; text: string })[]
  /** Every call of a tool. */
  toolSteps: ToolStep[]
  labelled: boolean
  /** Runs of tools by the stages that ended, with the clock at their end. */
  toolRuns: { at: number; key: string; savings: ToolRun[] }[]
  /** Candidates so far; undefined when the run does not grade them. */
  candidates?: UngradedCandidate[] | undefined
  /** How often people took part. */
  people: PeopleCounts
  /** Number of approvals so far. */
  approvals: number
  /** Ids of lines of people.jsonl that a step has taken, steps that are void by now included. */
  taken: Set<string>
  /** Budget alerts already reported, as limit and percent. */
  reportedAlerts: Set<string>
  /** Results of the visible checks by digest of the files, for agents that run them themselves. */
  checkResults: Map<string | null, Promise<CheckResult>>
  /** HOME folders of agents, by the path of their branch or by their conversation of the trial. */
  homes: Map<string, string>
  /** The weakest sandbox level at which code of this trial ran; undefined when none ran. */
  level?: SandboxLevel | undefined
  /** The outputs that are in the run folder, by path. */
  savedOutputs: Map<string, object>
  /** A question that `approve()` was asked and that was answered with abort, which it returned. */
  aborted?: string
  divergences: string[]
  /** Asks that a resumed trial begins anew, since the state of a server was lost: a sentence each. */
  begunAnew: string[]
  /** Effects that a user's method has begun and not awaited yet; undefined for built-in methods. */
  unawaitedEffects?: Set<{ what: string }> | undefined
  /** Branches that the method has opened so far. */
  openedBranches: OpenedBranch[]
  /** Paths of the steps of graphs that failed or were skipped. */
  unfinishedSteps: Set<string>
  /** Where a user's code threw, if that ended the trial. */
  thrownAt?: ErrorLocation | undefined
  /** The branch that the method starts in. */
  root: Branch
  /** The method was ended from outside: its branches are not awaited. */
  gaveUp: boolean
  /** Called when that happens. */
  onGiveUp?: () => void
  /** The method has ended: code that it left running cannot begin effects. */
  hasEnded: boolean
}
