import type { z } from 'zod'
import type { Ask, KindOfWork } from './ask.ts'
import type { GraphOptions, GraphStep, StepResult } from './graph.ts'
import type { DocumentAgent } from './schema/agent/document-agent.ts'
import type { Declaration, StrategyTraits } from './schema/method/declaration.ts'
import type { Fact } from './schema/task-condition.ts'
import type { Tool } from './schema/tool/tool.ts'
import type { StageAgent, StageProgram, StageResult } from './stage.ts'
import type { Problem } from './text/errors.ts'

/** The result of the task's visible checks. `none`: the task has no visible checks. */
export interface CheckResult {
  status: 'passed' | 'failed' | 'none'
  /** How many checks passed. */
  passed: number
  /** How many checks there are. */
  total: number
  /** What failed and why, without durations, paths or addresses. */
  output: string
}

/** One changed file. A `content` of null deletes it. */
export interface FileEdit {
  path: string
  content: string | null
}

/** The private files of a branch. Paths are relative, with `/`. */
export interface Workspace {
  /** Returns the paths of all files, sorted. */
  list(): string[]
  /** Returns the text of a file; undefined if there is none. With `below`, a document names it, relative to this folder and in it. */
  read(path: string, below?: string): string | undefined
  /** Changes files. Throws while an effect or a branch is pending here, because the order of the two would depend on timing. */
  apply(edits: readonly FileEdit[]): void
  /** Returns the unified diff against the files that the trial began with; empty if nothing changed. */
  diff(): string
  /** Runs the task's visible checks on a copy of the files. Checks are counted and limited like asks. */
  check(): Promise<CheckResult>
  /** Replaces these files, with the conversations and the last answer, by those of another branch of the trial. */
  adopt(other: Workspace): void
}

/**
 * A trace event of the method's own, one line of events.jsonl. The fields `trial` and `key` are reserved, and so are the types
 * `iteration` and `candidate`, which `label` and `candidate` write.
 */
export interface TraceEvent {
  type: string
  trial?: never
  key?: never
  [field: string]: unknown
}

/** The answer to `approve`. */
export interface Approval {
  decision: 'approved' | 'feedback' | 'abort'
  feedback: string
}

/** What is shown to the person who is asked, and what an abort does. */
export interface ApproveOptions {
  /** Texts that the person reads, by path. */
  show?: Readonly<Record<string, string>>
  /** `return`: an abort is returned instead of thrown; the method then ends as it wants, such as `cancelled`. */
  onAbort?: 'cancel' | 'return'
}

/** What the asks of a branch have spent. A sum is null if some call did not report its part. */
export interface Spent {
  calls: number
  input: number | null
  output: number | null
  /** US dollars, as billed. */
  costUsd: number | null
  /** What the calls that reported a part have spent of it, and how many calls did not report it. */
  reported: { input: number; output: number; costUsd: number }
  unreported: { input: number; output: number; costUsd: number }
}

/** Texts that a method keeps as files of its own, beside the workspace: drafts, reviews. Paths are relative, with `/`. */
export interface Outputs {
  /**
   * Writes a file whole, for later reading and to `artifacts/TRIAL/outputs/`, where it is once no open branch can drop it. If a
   * branch that was open beside this one, and opened before it, writes the same path, the promise of this branch rejects with an
   * error that names both. Throws for an invalid path, and while an effect or a branch is pending here. `summary` marks a text that
   * tells what happened; `capture.summaries` of the config file decides whether it is written there.
   */
  write(path: string, text: string, kind?: 'summary'): void
  /** Returns the text of a file; undefined if it does not exist. What a branch wrote can be read outside of it when it has ended. The loser of a `first` leaves nothing. */
  read(path: string): string | undefined
  /** Returns the paths that can be read, sorted. */
  list(): string[]
}

/** Everything that a strategy sees of a trial. It never sees graders, hidden tests or the solution. */
export interface StrategyContext<Role extends string, Options> {
  /** The task's text with what must be handed in. `produce` roles get it by themselves; show it to other roles yourself. */
  instruction: string
  /** What the task states of itself, by the names of `--where`: suite, language, tag, difficulty and so on; never its graders. */
  properties: Readonly<Record<string, Fact>>
  options: Options
  /** The texts of the strategy's `programs`, by name of the file; empty without any. */
  programs: Readonly<Record<string, string>>
  ask: Ask<Role>
  workspace: Workspace
  outputs: Outputs
  /**
   * Runs work beside other branches, on its own copy of the files. Branches that are open together end together: the promise
   * resolves when the last of them has ended, and the clock is then that of the slowest. Its files count only where the
   * strategy adopts them.
   */
  branch<T>(name: string, work: (context: StrategyContext<Role, Options>) => Promise<T>): Promise<T>
  /** Runs branches side by side. Returns the name and the result of the first to succeed. */
  first<T>(
    branches: Readonly<Record<string, (context: StrategyContext<Role, Options>) => Promise<T>>>,
  ): Promise<{ name: string; value: T }>
  /**
   * Runs a graph of steps. A step begins as soon as the steps that it depends on have ended and a slot is free. Afterwards the
   * branch has the files of all steps, its bill includes them, and its clock is that of the slowest. After a failure the files
   * are those of the steps before the failed one in plan order. Returns the results in plan order.
   */
  graph<Value>(
    steps: readonly GraphStep<StrategyContext<Role, Options>, Value>[],
    options?: GraphOptions,
  ): Promise<ReadonlyMap<string, StepResult<Value>>>
  /**
   * Runs a program on a copy of the branch's files, in the sandbox, as a branch of that name. It asks roles over a socket; see
   * docs/guides/programs.md. Or runs an agent that directs others in such a place. A program that fails is a result, not an error. Throws `LimitError` if a limit of the trial refused
   * an ask of it; the branch then has the files of the stage.
   */
  stage(
    id: string,
    program: StageProgram | StageAgent<StrategyContext<Role, Options>>,
  ): Promise<StageResult<Workspace>>
  /**
   * Writes the method's state, plain JSON, to the journal, so that it can be read during the run and after a crash. Assign the
   * result back, `state = await checkpoint(state)`: in a run that was stopped a person may have changed the state
   * (`bench state RUN TRIAL --set …`), and the result is the state with that change.
   */
  checkpoint<State extends object>(state: State): Promise<State>
  /** Asks for a person's approval. The run's `--approve` says who answers. Without an answer the trial waits until the run is resumed. */
  approve(question: string, options?: ApproveOptions): Promise<Approval>
  /** Labels all later steps of this branch with texts and numbers, such as `{ round: 2 }`; replaces the label before. */
  label(label: Readonly<Record<string, number | string>>): void
  /**
   * Says that the files as they are, or `answer`, are an answer to the task now. Runs with `--grade-candidates` grade it. Only
   * needed for answers that are not simply what a `produce` role replied, since those are candidates by themselves.
   */
  candidate(answer?: string): void
  /** Writes a trace event of the method's own to events.jsonl. */
  note(event: TraceEvent): void
  /**
   * Whether the trial would hand in anything if it ended now: for a task that wants an answer, a text that is not empty; else
   * a changed file. Without `answer`, what a `produce` role said last counts. Costs nothing.
   */
  delivers(answer?: string): boolean
  /** Whether two replies give the same answer, as the graders compare answers, without the right one. It need not be transitive. */
  sameAnswer(one: string, other: string): boolean
  /** Returns the milliseconds of the branch's own clock, which only its steps move. */
  now(): number
  /** Returns what the branch has spent so far, with what was spent before it was opened and in the branches that ended in it. */
  spent(): Spent
  /** Returns a seeded number in [0, 1); the same label always gives the same number. */
  random(label: string): number
}

/** How a method ended. Recorded as the method's claim; graders alone decide whether the trial passed. */
export interface StrategyResult {
  /** The final answer, for tasks that want one. Without it, what a `produce` role said last is the answer. */
  answer?: string
  /**
   * Why the method stopped.
   * - `done`: it reached its own goal, such as a reviewer's approval or passing checks. The declared flow must be complete.
   * - `stuck`: it gave up because its rounds no longer brought any improvement.
   * - `halted`: it stopped short of its goal for another reason, such as a missing reply or nothing to hand in.
   * - `exhausted`: it used up its own rounds or attempts before it reached its goal.
   * - `cancelled`: a person aborted the work at `approve()`, which returned `abort`. The trial is not graded.
   *
   * A limit of the trial is none of these: `ask` throws `LimitError`, and the trial ends as limited.
   */
  stopReason: 'done' | 'stuck' | 'halted' | 'exhausted' | 'cancelled'
  /** The reason in words, such as the rule that stopped it. */
  detail?: string
  /** The method's final state, plain JSON, kept in the record. */
  state?: Readonly<Record<string, unknown>>
}

/** The files that options name, as `resolve` may read them. Paths are relative to the working folder. */
export interface Documents {
  /**
   * Returns the text of a file; undefined if there is no such file. An option names it, or with `below` a document, relative to this
   * folder (`.` is the working folder). Throws `UserError` for a path or link of a document out of the folder, and for files of keys.
   */
  read(path: string, below?: string): string | undefined
  /** Returns the sorted names of the files in a folder; undefined if there is no such folder. */
  list(folder: string): readonly string[] | undefined
  /** Returns the SHA-256 of all files below a folder, and their paths; undefined if there is no such folder. Throws like `read`. */
  folder?(path: string): { digest: string; files: readonly string[] } | undefined
  /** The documents that come with a built-in strategy, and `personas/FILE`, by path; empty for other strategies. */
  readonly shipped: Readonly<Record<string, string>>
  /**
   * Returns what is wrong with the name of an agent, written as after `--agents`: `provider:model`, `LABEL=PROVIDER:MODEL`, or a
   * name of the config file. Undefined if an agent can have it. A reader of documents reports it with its other problems.
   */
  agentProblem?(name: string): Omit<Problem, 'where'> | undefined
}

/** A way of organising agents, as code. */
// `any`, because the registry holds strategies whose options differ.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
export interface Strategy<Role extends string = string, Options extends z.ZodType = any>
  extends StrategyTraits<z.output<Options>> {
  /** The name after `--methods`, in kebab-case. */
  name: string
  /** Other names for `--methods`. */
  aliases?: readonly string[]
  /** One sentence for `bench methods`. */
  summary: string
  /**
   * Who is asked, in which order and how often, as data; a function where the options decide it. The code of `run` is the truth:
   * each trial is checked against the declaration, and its record says whether they agree.
   */
  declaration?: Declaration<NoInfer<Role>> | ((options: z.output<Options>) => Declaration<NoInfer<Role>>)
  /** Every role with its kind of work. */
  roles: Readonly<Record<Role, KindOfWork>>
  /** A zod object with a default for each field. */
  options: Options
  /**
   * Reads the files that options name, before the run. Its result replaces the options: it is written to run.json and is part
   * of each trial's id, so that a changed file is another method. Throws `UserError` with every problem.
   */
  resolve?(options: z.output<Options>, documents: Documents): z.output<Options>
  /** Returns the roles of resolved options, instead of `roles`, where a file names them. */
  rolesOf?(options: z.output<Options>): Readonly<Record<string, KindOfWork>>
  /**
   * Returns the agents that the documents in resolved options name for roles. They answer in live mode where `--agents` was not
   * typed and neither `--agent ROLE=` nor the config file's entry of the method names the role.
   */
  agentsOf?(options: z.output<Options>): readonly DocumentAgent[]
  /** Returns the tools that the documents in resolved options declare, by id. `ask` names them in its option `tools`. */
  toolsOf?(options: z.output<Options>): Readonly<Record<string, Tool>>
  run(context: StrategyContext<Role, z.output<Options>>): Promise<StrategyResult>
}

/** Returns the strategy unchanged; TypeScript infers roles and options from it. Nothing is registered. */
export const defineStrategy = <const Role extends string, Options extends z.ZodType>(
  strategy: Strategy<Role, Options>,
): Strategy<Role, Options> => strategy
