import type { z } from 'zod'

/**
 * What a role does, whatever its name is. A `produce` role does the task: its prompt begins with the task's text and what
 * must be handed in, and the files that it changes are in the workspace when `ask` returns. `judge` gives a verdict,
 * `summarise` shortens text, `decide` plans, routes or specifies.
 */
export type KindOfWork = 'produce' | 'judge' | 'summarise' | 'decide'

/** Options of one ask. */
export interface AskOptions {
  /** The system prompt. */
  system?: string
  /** Texts that the agent sees after the prompt, each under its name. Empty and undefined ones are left out. */
  show?: Readonly<Record<string, string | undefined>>
  /**
   * `inside`: the prompt holds `context.instruction` itself, at a place of its own, so it is not put before the prompt of a `produce`
   * role. An error if the prompt does not hold it.
   */
  instruction?: 'inside'
  /** The name of a conversation: an ask continues with the earlier asks of the same role and name in its branch. */
  session?: string
  /**
   * `trial`: the conversation goes on across branches, without being adopted. If two branches that are open together continue it,
   * the promise of the one that was opened later rejects. Default: `branch`.
   */
  sessionScope?: 'branch' | 'trial'
  /** Most messages of the conversation that are sent, with the system prompt and this prompt; the oldest turns are left out. */
  maxMessages?: number
  /** The kind of work of this ask, where a role does several. Default: that of the role. */
  work?: KindOfWork
  /** `vote`: the reply is one of several that are counted. Nothing runs differently; `bench report --coordination` counts the tokens as votes. */
  purpose?: 'vote'
  /**
   * The method's tools that the agent may call before it answers, beside those that every `produce` role has: ids of tools of
   * `toolsOf` or the config file, and the words of `--tools` that the method is given (`read`, `list`, `write`, `check`, `memory`; `workspace`
   * for all of the first four). Only work of kind `produce` gets `write`. A tool that the method does not have is an error. See
   * docs/guides/agent-tools.md.
   */
  tools?: readonly string[]
  /** The longest time for one attempt, in ms of the branch's clock; of each turn where the agent has tools. */
  timeoutMs?: number
  /** The most output tokens of one attempt. */
  maxOutput?: number
  /**
   * The most that all attempts of this ask may use together. After that there is no further attempt, and `ask` throws
   * `AgentError` with reason `limit`. A usable reply is returned even if it exceeds a limit, since it is paid.
   */
  limits?: {
    /** Attempts, including a repair. */
    calls?: number | undefined
    tokens?: number | undefined
    costUsd?: number | undefined
    /** Milliseconds of the branch's clock. */
    timeMs?: number | undefined
  }
}

/**
 * Asks one role one question. Returns the reply's text or, with a `shape`, data of that shape, after one repair if the
 * reply does not parse. Throws `AgentError` when no attempt gave a usable reply. Throws `LimitError` when a limit of the trial
 * refuses the ask: every later effect of this branch throws the same error, and the work so far is graded.
 */
export interface Ask<Role extends string> {
  (role: Role, prompt: string, options?: AskOptions): Promise<string>
  <Reply>(role: Role, prompt: string, options: AskOptions & { shape: z.ZodType<Reply> }): Promise<Reply>
}
