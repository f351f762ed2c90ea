import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './base/package-root.ts'
import type { StageAsk } from './schema/stage/protocol.ts'
import type { AgentError } from './text/errors.ts'

/** A program of a chain, as `stage` starts it. */
export interface StageProgram {
  /**
   * Program and arguments; never a shell. `{stage}` at the beginning of an argument stands for the folder of `files`:
   * `['node', '{stage}/plan.mjs']`.
   */
  command: readonly string[]
  /** Texts that the program can read and not change, by path: its code and what that imports. Their folder is `$BENCH_STAGE`. */
  files?: Readonly<Record<string, string>>
  /** The text of the state file, which the program reads and replaces at `$BENCH_STATE`. It is not in the workspace. */
  state: string
  /** The roles that it may ask; all by default. */
  roles?: readonly string[]
  /** The longest time that it may run, not counting the time in which it waits for asks and checks; ms. Ten minutes by default. */
  timeoutMs?: number
  /** Added to its environment. Names that begin with `BENCH_` are taken. `{stage}` at the beginning of a value stands for the folder of `files`. */
  env?: Readonly<Record<string, string>>
  /** It asks the models of its roles itself, over HTTP, in place of asking over a socket. Each request is one ask of a role. */
  models?: StageModels
}

/** What a program has that asks models itself, such as an application of another framework. Each role needs an agent over HTTP. */
export interface StageModels {
  /** Written to its standard input, which is then closed. */
  stdin: string
  /**
   * A folder that it may read and not change, such as that of its code and its packages: relative to the working folder, and with the digest
   * that `Documents.folder` gives. `{folder}` at the beginning of an argument stands for it.
   */
  folder?: { path: string; digest: string } | undefined
}

/** What an agent is asked that directs others. */
export interface DirectorTask {
  prompt: string
  system?: string
  /** Texts that it reads below the prompt, by name. */
  show?: Readonly<Record<string, string>>
  /** Its kind of work. Unless it is `decide`, the result with which it ends is work of its own. */
  work: NonNullable<StageAsk['work']>
  /** The longest time that it may take, not counting the time in which it waits for others; ms. */
  timeoutMs?: number
}

/**
 * An agent that directs others, as `stage` runs it: by the tools `ask_role`, `read`, `check` and `finish`, which bench offers over MCP.
 * An agent that is a program runs itself and has no other tool. For any other agent a program of bench stands in, which asks it before
 * each call what to do.
 */
export interface StageAgent<Context> {
  /** The role whose agent directs. */
  directs: string
  /** The roles that it may ask. */
  roles: readonly string[]
  /** Called first, in the stage's branch: returns what the agent is asked. */
  begin(context: Context): Promise<DirectorTask>
  /**
   * Does what is asked of a role, in the stage's branch, and returns what the agent reads of it; undefined if the work has ended by that.
   * By default the role is asked.
   */
  perform?(asked: { role: string; brief: string }, context: Context): Promise<string | undefined>
  /** Called with the agent's result, before the branch ends. */
  finish?(result: string): Promise<void>
}

/** How a stage ended. */
export interface StageEnd {
  /** Null if it did not end by itself. Nothing is then taken from its folder and its state file. */
  exitCode: number | null
  /** How it ended, if not by itself: by a signal, by a limit. */
  reason?: string
  /**
   * The text of the state file; undefined if there is none, if it is no UTF-8 text or larger than 8 MiB, or if the stage ended with
   * another exit code than 0 (all is good) and 1 (it found the work wanting).
   */
  state: string | undefined
  /** Of an agent, its result. Else what it printed to stdout and then to stderr, without durations, addresses and real paths; the middle of long texts is cut. */
  output: string
  /** How often it asked. */
  asks: number
  /** Of a program that asks models itself, what it printed to stdout; the middle of long texts is cut. */
  stdout?: string
  /** Why the last of its asks that failed had no usable reply. */
  failedAsk?: AgentError
}

/** The result of a stage. */
export interface StageResult<Workspace> extends StageEnd {
  /** The files of its branch. They count only where the strategy adopts them. */
  workspace: Workspace
}

/**
 * Returns the text of the client program for stages, which needs no package: with `files: { 'bench.mjs': stageClient() }` a stage in
 * any language can call `node "$BENCH_STAGE/bench.mjs" ask planner "…"`.
 */
export const stageClient = (): string => readFileSync(join(packageRoot(), 'dist/bench/client.mjs'), 'utf8')
