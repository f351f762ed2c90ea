import type { FaultKind } from '../schema/agent/faults.ts'
import type { RateLimits } from '../schema/limits.ts'
import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { Files, Task } from '../schema/task.ts'
import type { Tokens } from '../schema/tokens.ts'
import type { CheckResult, KindOfWork } from '../strategy.ts'
import type { AgentErrorReason, Problem } from '../text/errors.ts'

/** What came before in this branch: who was asked, and the data of its reply where it had a shape. */
export interface PastAsk {
  role: string
  work: KindOfWork
  data?: unknown
}

/** A question and its answer, as they stand in a session. */
export interface Turn {
  prompt: string
  reply: string
}

/** One attempt at one ask, as an agent gets it. Plain data but for `workspace`. */
export interface AgentRequest {
  role: string
  work: KindOfWork
  /** The whole prompt: preamble, prompt, context, reply format. */
  prompt: string
  system?: string | undefined
  session?: string | undefined
  /** What was said in that session before, in this branch; agents without memory of their own send it along. */
  turns?: readonly Turn[] | undefined
  maxOutput?: number | undefined
  /** Longest time for this attempt; ms. */
  timeoutMs?: number | undefined
  /** JSON Schema of the data that is wanted; absent for plain text. */
  schema?: Readonly<Record<string, unknown>> | undefined
  /** From 1; repairs and retries count on. */
  attempt: number
  repair: boolean
  /** What this ask belongs to. `key` is the ledger's key, `options` the method's. */
  trial: {
    id: string
    task: string
    method: string
    strategy: string
    epoch: number
    seed: number
    key: string
    /** How often the trial was begun anew after an error: what failed by chance need not fail again. */
    rerun: number
  }
  /** The strategy's roles and their kinds of work. */
  roles: Readonly<Record<string, KindOfWork>>
  history: readonly PastAsk[]
  /** The branch's workspace. */
  workspace: AgentWorkspace
}

/** How an agent reaches the files: to look, to run the visible checks for itself, or to work in a real folder. */
export interface AgentWorkspace {
  files(): Files
  /** The visible checks on the current files; remembered per state, not journaled, on nobody's bill. */
  peek(): Promise<CheckResult>
  /** A full private copy in a folder; its changes are taken over if the agent ends by itself. */
  folder(): Promise<string>
  /** A folder of the trial's own, and of the branch's, to keep sessions in: empty at first, gone with the trial. */
  home(): string
}

/** What an attempt gave. A failure is data: it has its place in the ledger, and its bill. */
export interface AgentReply {
  text: string
  tokens: Tokens
  /** US dollars; null is not known. */
  costUsd: number | null
  /** The same call at the list price of uncached input, US dollars; absent where it is not known. */
  listCostUsd?: number
  /** Who says what it cost: the provider's reply, the user's price file, or the table of list prices. */
  costSource?: 'provider' | 'file' | 'table'
  /** The provider's own usage object, as it came, to price the call again later. */
  usage?: Readonly<Record<string, unknown>>
  /** What the agent itself says that the call cost, where that is its own sum and no bill; US dollars. */
  reportedCostUsd?: number
  /** How well the agent was held, where it is a program. */
  sandbox?: SandboxLevel
  /** How an ask of a session was continued: by the agent's own session, or told again from the start. */
  continued?: 'resumed' | 'retold'
  /** The model that answered, where the provider names one more exactly than it was asked for. */
  model?: string
  /** How far the branch's clock moves; ms, simulated or measured. */
  durationMs: number
  error?: {
    reason: AgentErrorReason
    message: string
    /** How long the provider asks to be left alone; ms. */
    retryAfterMs?: number
    /** Where code of the user's threw. */
    stack?: string
  }
  /** This attempt was made to go wrong on purpose. */
  fault?: FaultKind
  /** Only the reply's hash goes into the ledger (a reference solution must not stand there). */
  secret?: boolean
}

/** Whose rate limits a call falls under. */
export interface Account {
  /** The same for all agents that share it; holds no key. */
  name: string
  limits: RateLimits
}

/** Whatever answers for a role. */
export interface Agent {
  /** `provider:model`, as recorded. */
  name: string
  /** Its calls cost something or leave the machine: intents and results are synced. */
  paid: boolean
  /** Its numbers are made up; rows with it say `simulated`. */
  simulated: boolean
  /** It is a program that works by itself, in the sandbox, and starts others there. */
  isProgram?: true
  /** It answers at once and keeps timeouts by the clock that it makes up; else the door's stopwatch cuts it off. */
  virtualTime?: true
  /** It is code of the user's in this process, which may throw where nobody awaits it. */
  ownCode?: true
  /** Where it is asked, as it may be told: no user, password or query. */
  endpoint?: string
  /** Who counts its calls: agents of one provider, address and key share one rate. Absent where nobody does. */
  account?: Account
  /** Version of the program that answers, for run.json; absent where none stands between us and the model. */
  version?(): Promise<string>
  /** What it lacks (a key, a server, a model) before a trial can ask it; told before a run begins. Nothing is paid for it. */
  missing?(): Promise<readonly Problem[]>
  /** Called once per task before that task's first trial, outside trials and their cost. */
  prepare?(task: Task): Promise<void>
  /** Fails only when aborted or when the adapter itself is broken. */
  ask(request: AgentRequest, signal: AbortSignal): Promise<AgentReply>
}

/** `PROVIDER:MODEL` of a name with or without a label before it. A model's own name may hold an equals sign, a label no colon. */
export function withoutLabel(name: string): string {
  return name.replace(/^[^:=]*=/, '')
}
