import type { KindOfWork } from '../ask.ts'
import type { FaultKind } from '../schema/agent/faults.ts'
import type { ProgramUse, RefusedRequests } from '../schema/ledger/program-use.ts'
import type { RecordedFacts, RecordedReply } from '../schema/ledger/recorded-replies.ts'
import type { Finish } from '../schema/ledger/step.ts'
import type { RateLimits } from '../schema/limits.ts'
import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { Files, Task } from '../schema/task.ts'
import type { Tokens } from '../schema/tokens.ts'
import type { ToolCall } from '../schema/tool/tool-call.ts'
import type { ToolDefinition } from '../schema/tool/tool-set.ts'
import type { CheckResult } from '../strategy.ts'
import type { AgentErrorReason, Problem } from '../text/errors.ts'
import type { Upstream } from './upstream.ts'

/** An earlier ask in this branch: the role, its kind of work, and the reply's data if the ask had a shape. */
export interface PastAsk {
  role: string
  work: KindOfWork
  data?: unknown
}

/** One exchange in a conversation: a prompt and its reply. */
export interface Turn {
  prompt: string
  reply: string
}

/** A turn of an ask in which the agent called tools, with the results in the order of its calls. */
export interface ToolTurn {
  text: string
  calls: readonly ToolCall[]
  results: readonly ToolAnswer[]
  /** The message as the agent gave it in its reply. */
  message?: readonly Readonly<Record<string, unknown>>[] | undefined
}

/** What the agent gets for one call: the tool's result, or an error that it can act on. */
export interface ToolAnswer {
  id: string
  name: string
  text: string
  isError: boolean
}

/** The tools of an ask, and the turns so far. */
export interface RequestTools {
  definitions: readonly ToolDefinition[]
  turns: readonly ToolTurn[]
  /** The last turn: the agent must answer, and may call nothing. */
  mustAnswer: boolean
}

/** The stage in which an agent runs that directs others: it asks over the socket of its sandbox. */
export interface AgentStage {
  /** The `StageParts` of its sandbox, without the types of Node, which this contract's users need not have. */
  parts: { files: Files; state: string; open(folder: never): unknown }
  /** For how long it has waited for what it asked; ms. That is not its own time. */
  waitedMs(): number
}

/** The work that a judge of the run reads, and, where it compares two texts, which of them it is. */
export interface JudgedWork {
  text: string
  place: 'A' | 'B'
}

/** What one request to a model uses. The cost is null where no price is known; US dollars. */
export interface RequestUse {
  tokens: number
  costUsd: number | null
}

/** The limits that hold inside a call, for a program that asks its model any number of times. */
export interface CallLimits {
  /**
   * Waits until the limits have room for a request beside those in flight, and counts it as begun. Once a limit is reached, this request
   * and all further ones are refused, with the reason. `gone`: the signal aborted before there was room.
   */
  begin(expected: RequestUse, signal: AbortSignal): Promise<'begun' | 'gone' | { refused: string }>
  /** Counts the use of a request that has begun and is over. */
  end(expected: RequestUse, used: RequestUse): void
}

/** One attempt at one ask, as the agent receives it. Plain data, except `workspace` and `limits`. */
export interface AgentRequest {
  role: string
  work: KindOfWork
  /** The whole prompt: preamble, prompt, context, reply format. */
  prompt: string
  system?: string | undefined
  /** Name of the conversation that the ask continues. */
  session?: string | undefined
  /** Earlier turns of that conversation in this branch. An agent without its own memory sends them along. */
  turns?: readonly Turn[] | undefined
  maxOutput?: number | undefined
  /** Time limit of this attempt, in ms. */
  timeoutMs?: number | undefined
  /** JSON Schema of the expected data; absent for plain text. */
  schema?: Readonly<Record<string, unknown>> | undefined
  /** `native`: the schema goes to the provider's own structured output, too. */
  structured?: 'native' | undefined
  /** Counted from 1; repairs and retries increase it. */
  attempt: number
  repair: boolean
  /** The trial that this ask belongs to. `key` is the ask's key in the ledger. */
  trial: {
    id: string
    task: string
    method: string
    strategy: string
    epoch: number
    seed: number
    key: string
    /** How often the trial was restarted after an error. It seeds what fails by chance, so a restart may succeed. */
    rerun: number
  }
  /** The strategy's roles and their kinds of work. */
  roles: Readonly<Record<string, KindOfWork>>
  history: readonly PastAsk[]
  /** The work that a judge of the run is asked about: the simulated one knows by it whether the work is right. Never sent. */
  judged?: JudgedWork | undefined
  /** The branch's workspace. */
  workspace: AgentWorkspace
  /** Tools that the agent may call before it answers; absent if it has none, or uses its own. */
  tools?: RequestTools | undefined
  /** It directs others: only an agent that is a program gets it. */
  stage?: AgentStage | undefined
  /** The limits that hold inside the call; absent if nothing is limited. */
  limits?: CallLimits | undefined
  /** The ask shows the task alone: which of the recorded replies to it is wanted. Set by the loop for agents with recorded replies. */
  sample?: number | undefined
}

/** Replies that were recorded earlier, of one model to the tasks of a run. */
export interface RecordedReplies {
  facts: RecordedFacts
  /** Returns a reply by the task's ref and its number, from 1; undefined if there is none. */
  find(task: string, sample: number): RecordedReply | undefined
}

/** The agent's access to the files: read them, run the visible checks, or work in a real folder. */
export interface AgentWorkspace {
  files(): Files
  /** Runs the visible checks on the current files. The result is cached per state, not journaled and not billed. */
  peek(): Promise<CheckResult>
  /** Returns a folder with a full private copy. Its changes are applied if the agent ends by itself. */
  folder(): Promise<string>
  /** Returns a folder for this branch of the trial, where the agent keeps its own sessions. It starts empty and is removed with the trial. */
  home(): string
}

/** The result of an attempt. A failure is data too: it is journaled and billed. */
export interface AgentReply extends ProgramUse {
  text: string
  /** Calls of tools that the agent asks for: the reply is a turn then, not its answer. */
  toolCalls?: readonly ToolCall[]
  /** The message of such a turn as the provider wants it back, such as signed reasoning; plain data. */
  message?: readonly Readonly<Record<string, unknown>>[]
  tokens: Tokens
  /** US dollars; null if unknown. */
  costUsd: number | null
  /** The cost of the same call with uncached input, at list price, in US dollars; absent if unknown. */
  listCostUsd?: number
  /** The source of `costUsd`: the provider's reply, the user's price file, or the table of list prices. */
  costSource?: 'provider' | 'file' | 'table'
  /** The provider's own usage object, unchanged, so that the call can be priced again later. */
  usage?: Readonly<Record<string, unknown>>
  /** The agent's own estimate of the cost, which is not a bill; US dollars. */
  reportedCostUsd?: number
  /** The level of the sandbox, for an agent that is a program. */
  sandbox?: SandboxLevel
  /** Requests of its program that the gateway did not let pass. */
  refused?: RefusedRequests
  /** What its provider may have run for it, such as a search, by name: `--allow-provider-tools`. */
  providerTools?: readonly string[]
  /** How an ask continued its conversation: the program resumed its own session, or bench sent all turns again. */
  continued?: 'resumed' | 'retold'
  /** The provider's own structured output held the reply to the schema. */
  structured?: 'native'
  /** The model that answered, if the provider names it more exactly than the request did. */
  model?: string
  /** Why the reply ended, if the agent tells. */
  finish?: Finish
  /** How far the branch's clock moves, in ms; simulated or measured. */
  durationMs: number
  error?: {
    reason: AgentErrorReason
    message: string
    /** How long the provider asks callers to wait, in ms. */
    retryAfterMs?: number
    /** The stack of an error that the user's code threw. */
    stack?: string
  }
  /** The fault that was injected into this attempt. */
  fault?: FaultKind
  /** The ledger gets only the reply's hash, because it must not contain a reference solution. */
  secret?: boolean
}

/** The account whose rate limits a call falls under. */
export interface Account {
  /** Equal for all agents that share the account; never contains a key. */
  name: string
  limits: RateLimits
}

/** An agent: anything that answers for a role. */
export interface Agent {
  /** `provider:model`, as recorded. */
  name: string
  /** Its calls cost money or leave the machine, so intents and results are synced to disk. */
  paid: boolean
  /** Its numbers are simulated; rows with it say `simulated`. */
  simulated: boolean
  /** It is a program that works by itself in the sandbox and may start other programs there. */
  isProgram?: true
  /** It answers immediately and applies timeouts in virtual time. Any other agent is cut off by a real timer. */
  virtualTime?: true
  /** `called`: it calls the tools of a request. `own`: it is a program that uses its own tools. Absent: it uses none. */
  tools?: 'called' | 'own'
  /** It is the user's code in this process, and may throw an error that nothing awaits. */
  userCode?: true
  /** The address that it calls, as messages may show it: no user, password or query. */
  endpoint?: string
  /** The server of its model. Absent: no program can ask its model itself. */
  upstream?: Upstream
  /** The account that counts its calls: agents with the same provider, address and key share one. Absent if there is none. */
  account?: Account
  /** Reads its recorded replies, once. Rejects with `UserError` if they cannot be read. Absent: its replies are given in the run. */
  recorded?(): Promise<RecordedReplies>
  /** Returns the version of the program that answers, for run.json; absent if the model is called directly. */
  version?(): Promise<string>
  /** Lists what is missing (a key, a server, a model); reported before a run begins. It must cost nothing. */
  missing?(): Promise<readonly Problem[]>
  /** Called once per task before the task's first trial; its time and cost belong to no trial. */
  prepare?(task: Task): Promise<void>
  /** Makes one attempt. Rejects only when aborted, or when the adapter itself is broken. */
  ask(request: AgentRequest, signal: AbortSignal): Promise<AgentReply>
}

/** Removes the label from `LABEL=PROVIDER:MODEL`. A model's name may contain an equals sign; a label contains no colon. */
export function withoutLabel(name: string): string {
  return name.replace(/^[^:=]*=/, '')
}
