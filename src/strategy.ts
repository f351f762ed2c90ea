import type { z } from 'zod'
import type { Declaration } from './schema/method/declaration.ts'

/**
 * What a role does, whatever it is called. A `produce` role answers the task: the door puts the shared preamble
 * (task text, output contract) before its prompt and takes its edits over into the workspace. `judge` gives a
 * verdict, `summarise` shortens text, `decide` plans, routes or specifies.
 */
export type KindOfWork = 'produce' | 'judge' | 'summarise' | 'decide'

/** Options of one ask. */
export interface AskOptions {
  /** System prompt, apart from the prompt itself. */
  system?: string
  /** Named texts that the prompt leans on; shown under their names, after the prompt. Those that are empty or undefined are left out. */
  context?: Readonly<Record<string, string | undefined>>
  /** Name of a session that several asks of one role share. */
  session?: string
  /** `vote`: one of several asks whose answers are counted. Decides nothing; measures of coordination tell it apart. */
  purpose?: 'vote'
  /** Longest time for one attempt, in ms of the branch's clock. */
  timeoutMs?: number
  /** Most output tokens. */
  maxOutput?: number
  /**
   * What the ask may use with all its attempts. When it has, there is no further attempt: `AgentError` with reason
   * `limit`. A reply that went past it is given all the same: it is paid.
   */
  limits?: {
    /** Attempts, a repair turn included. */
    calls?: number | undefined
    tokens?: number | undefined
    costUsd?: number | undefined
    /** Milliseconds of the branch's clock. */
    timeMs?: number | undefined
  }
}

/**
 * Asks one role one question and gives its text or, with a `shape`, data of that shape (one repair turn if the reply
 * does not parse). Throws `AgentError` when no attempt gave a usable reply, `LimitError` when the trial may not ask; from then on
 * all that this branch tries throws that again, and what it has left behind is graded.
 */
export interface Ask<Role extends string> {
  (role: Role, prompt: string, options?: AskOptions): Promise<string>
  <Reply>(role: Role, prompt: string, options: AskOptions & { shape: z.ZodType<Reply> }): Promise<Reply>
}

/** What the task's visible checks say. `none`: the task has no visible checks. */
export interface CheckResult {
  status: 'passed' | 'failed' | 'none'
  /** Checks that passed, and all. */
  passed: number
  total: number
  /** What failed and why, without durations, paths or addresses. */
  output: string
}

/** One changed file. `content` null deletes it. */
export interface FileEdit {
  path: string
  content: string | null
}

/** A trial's private files. Paths are relative, with `/`. */
export interface Workspace {
  list(): string[]
  /** Text of a file; undefined where there is none. */
  read(path: string): string | undefined
  /** Throws while an effect or a branch is pending here: which came first would be a matter of time. */
  apply(edits: readonly FileEdit[]): void
  /** Unified diff against the files that the trial began with. */
  diff(): string
  /** Runs the task's visible checks on a copy. Counted and limited like an ask. */
  check(): Promise<CheckResult>
  /** An isolated copy; `branch` gives each branch one by itself. */
  fork(): Workspace
  /** Takes over the state of another workspace of this trial. */
  adopt(other: Workspace): void
}

/**
 * A typed trace event, one line of events.jsonl. `iteration` labels the steps that follow it in this branch. `candidate`
 * says that the files as they are, or the text in its field `answer`, stand as an answer now, though no producing role
 * replied with just that: it is graded like what producing roles make, where the run grades that. `trial` and `key` are
 * the line's own, and refused.
 */
export interface TraceEvent {
  type: string
  trial?: never
  key?: never
  [field: string]: unknown
}

/** A person's answer, or the stated policy's where nobody is there. */
export interface Approval {
  decision: 'approved' | 'feedback' | 'abort'
  feedback: string
}

/** All that a strategy sees of a trial: never graders, hidden tests or the solution. */
export interface StrategyContext<Role extends string, Options> {
  /** The task's text with its output contract. Producing roles get it from the preamble; others only if you pass it on. */
  instruction: string
  options: Options
  /** Aborted when the run is; effects then reject by themselves. */
  signal: AbortSignal
  ask: Ask<Role>
  workspace: Workspace
  /**
   * Runs work beside other branches, on an isolated fork of the workspace. All branches that are open together end
   * together: the promise settles when the last of them has, and the clock is then that of the slowest.
   */
  branch<T>(name: string, work: (context: StrategyContext<Role, Options>) => Promise<T>): Promise<T>
  /** Runs branches side by side and gives the result of the first to succeed, with its name. */
  first<T>(
    branches: Readonly<Record<string, (context: StrategyContext<Role, Options>) => Promise<T>>>,
  ): Promise<{ name: string; value: T }>
  /**
   * Journals the method's state, plain JSON, so that it can be read while the run goes on and after a crash. Gives it
   * back, or what a person put in its place while the run was stopped (`bench state RUN TRIAL --set …`).
   */
  checkpoint<State extends object>(state: State): Promise<State>
  /** Asks a person. Without a terminal the run's stated policy answers; it never hangs. */
  approve(question: string): Promise<Approval>
  note(event: TraceEvent): void
  /**
   * Whether the trial would hand in anything, were it to end here with this answer: where the task wants an answer, a text
   * that is not empty; else a changed file. Without an answer it is what a producing role said last. Costs nothing.
   */
  delivers(answer?: string): boolean
  /** Milliseconds of the branch's own clock: only its steps move it. */
  now(): number
  /** A seeded number in [0, 1); the same label gives the same number. */
  random(label: string): number
}

/** Why the method itself stopped; recorded as `claimed`, never decides whether the trial passed. */
export interface StrategyResult {
  /** Final answer, for tasks that want one; else what the producing role said last. */
  answer?: string
  stopReason: 'done' | 'stuck' | 'halted' | 'exhausted'
  /** Words beside the reason: which rule stopped it. */
  detail?: string
  /** The method's own final state, kept in the record. Plain JSON. */
  state?: Readonly<Record<string, unknown>>
}

/** Files that options name, as `resolve` may read them. Paths are the user's, from the working folder. */
export interface Documents {
  /** Text of a file; undefined where there is none. */
  read(path: string): string | undefined
  /** Names of the files in a folder, sorted; undefined where there is none. */
  list(folder: string): readonly string[] | undefined
  /** Texts of the documents that come with a built-in strategy, by file name; none with others. */
  readonly shipped: Readonly<Record<string, string>>
}

/** A way of organising agents, as code. */
// `any`, because the registry holds strategies whose options differ.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
export interface Strategy<Role extends string = string, Options extends z.ZodType = any> {
  /** Kebab-case, as written after `--methods`. */
  name: string
  /** Other names under which `--methods` finds it. */
  aliases?: readonly string[]
  /** One sentence for `bench methods`. */
  summary: string
  /** The flow between roles, on one line; where there is a declaration, it is drawn from that. */
  diagram?: string
  /** The same as data: each record tells whether what ran is what is declared. A function where options decide it. */
  declaration?: Declaration<NoInfer<Role>> | ((options: z.output<Options>) => Declaration<NoInfer<Role>>)
  roles: Readonly<Record<Role, KindOfWork>>
  options: Options
  /** Name of the option that says how many attempts it makes, where `match` may set it to match another method's spend. */
  attempts?: string
  /**
   * Reads what options name, before the run. What it gives takes their place: it stands in run.json and in each trial's id,
   * so that a changed document is another method. Throws `UserError` with all that is wrong.
   */
  resolve?(options: z.output<Options>, documents: Documents): z.output<Options>
  /** The roles of resolved options, where a document names them; in place of `roles`. */
  rolesOf?(options: z.output<Options>): Readonly<Record<string, KindOfWork>>
  run(context: StrategyContext<Role, z.output<Options>>): Promise<StrategyResult>
}

/** Returns its argument, so that TypeScript infers roles and options. Registers nothing. */
export function defineStrategy<const Role extends string, Options extends z.ZodType>(
  strategy: Strategy<Role, Options>,
): Strategy<Role, Options> {
  return strategy
}
