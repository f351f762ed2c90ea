import type { ProgramStreams } from '../../sandbox/sandbox.ts'
import type { Wire } from '../../schema/agent/agent-program.ts'
import type { ModelSetting } from '../../schema/agent/agent-settings.ts'
import type { Finish } from '../../schema/ledger/step.ts'
import type { Files } from '../../schema/task.ts'
import type { Tokens } from '../../schema/tokens.ts'
import type { AgentErrorReason, Problem } from '../../text/errors.ts'
import { isObject } from '../../text/is-object.ts'
import type { ModelSettingRange } from '../model-settings.ts'
import type { Vendor } from '../vendor.ts'
import { type Json, tryParseJson } from '../wire/json.ts'

/** The output of a CLI that has ended. */
export interface CliOutput {
  stdout: string
  stderr: string
  /** Null if a signal ended it. */
  exitCode: number | null
  /** The signal that ended it. */
  killedBy?: string | null
}

/** The contents of a CLI's output. */
export interface CliReading {
  text: string
  /** The CLI's own id of the session, to resume it. */
  session?: string
  /** The session that was to be resumed could not be: all turns were sent again. */
  retold?: true
  tokens: Tokens
  /** The cost that the CLI reports, in US dollars; null if it reports none. */
  costUsd: number | null
  /** Which numbers are totals of the whole session, so that earlier totals must be subtracted. */
  cumulative: { tokens: boolean; cost: boolean }
  /** The model that answered, if reported. */
  model?: string
  /** How the reply ended, where the CLI says so; it wins over what the gateway saw. */
  finish?: Finish
  /** The CLI's own usage object. */
  usage?: Record<string, unknown>
  error?: { reason: AgentErrorReason; message: string }
}

/** Returns the last JSON value in a text that may have banners, warnings and stack traces around it. */
export function lastJson(text: string): unknown {
  const trimmed = text.trim()
  const whole = tryParseJson(trimmed)
  if (whole !== undefined) return whole
  for (const [open, close] of ['{}', '[]'] as const) {
    let end = trimmed.lastIndexOf(close as string)
    // A banner after the value may contain a brace, so a few earlier ones are tried, each with the line starts before it.
    for (let tries = 0; end >= 0 && tries < 8; tries++, end = trimmed.lastIndexOf(close as string, end - 1)) {
      for (const start of starts(trimmed, open as string, end)) {
        const value = tryParseJson(trimmed.slice(start, end + 1))
        if (value !== undefined) return value
      }
    }
  }
  return undefined
}

/** Returns the JSON objects of a text with one object per line. Other lines are skipped. */
export function jsonLines(text: string): Json[] {
  return text.split('\n').flatMap((line) => {
    const value = line.startsWith('{') ? tryParseJson(line) : undefined
    return isObject(value) ? [value] : []
  })
}

/** Yields where lines begin with an opening bracket, the last first, at most 64 of them. */
function* starts(text: string, open: string, before: number): Generator<number> {
  let tries = 0
  for (let at = text.lastIndexOf(open, before); at >= 0 && tries < 64; at = text.lastIndexOf(open, at - 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue
    tries++
    yield at
    if (at === 0) return
  }
}

/** One call of a CLI, before it is made. */
export interface CliCall {
  /** The model's name for the CLI. */
  model: string
  /** The CLI's own id of the session to resume. */
  session?: string | undefined
  /** The provider's base URL as the CLI reaches it; without a provider, an address that refuses every request. */
  baseUrl: string
  /** It runs in a sandbox, so it may use all its tools; otherwise it may only edit its working folder. */
  contained: boolean
  /** How much its model is to reason; undefined leaves it to the program. */
  reasoning?: ModelSetting['reasoning']
  /** It may use what its provider runs, such as a search; else its settings turn that off. */
  providerTools?: boolean
  /** The server of MCP whose tools are the only ones that it has. Absent: it uses its own. */
  server?: { command: string; args: string[]; env: Record<string, string> }
}

/** What a conversation with a program begins with. */
export interface TalkStart {
  prompt: string
  /** The prompt with all turns before it, for a session that cannot be continued after all. */
  retold: string
  /** The program's working directory, as bench sees it. */
  workspace: string
  /** How long the program may take; ms. */
  timeoutMs: number
}

/** A conversation with a program over its standard streams, in place of a prompt on its input and an answer in its output. */
export interface CliTalk {
  /** Begins it with the program that was started. */
  begin(streams: ProgramStreams): void
  /** Resolves when nothing is left to say; the program may be ended then. Never rejects. */
  over: Promise<void>
  /** Asks the program to stop. Resolves when it did, or after half a second. */
  cancel(): Promise<void>
  /** Returns what came of it, once the program has ended; `ended` is undefined if bench ended it. */
  read(ended: CliOutput | undefined): Promise<CliReading>
}

/** How long a program may take to stop after it was asked to; ms. */
export const cancelMs = 500

/** A kind of agent CLI: how to call it, the settings in its HOME, and how to read its output. Plain data and pure functions. */
export interface CliKind extends Vendor {
  /** One line for `bench agents`. */
  summary: string
  /** The program's name on the PATH, or its path. */
  program: string
  /** The command that installs it, if known. */
  install?: string
  /** Returns what bench itself needs for it and does not have; undefined if it has all. */
  lacks?(): Omit<Problem, 'where'> | undefined
  wires: readonly Wire[]
  /** Models that it may ask beside its own. */
  models?: readonly string[]
  /** Whether a model that it asks is the one that `model` names, where that may be a shorter name. */
  isSameModel?(model: string, asked: string): boolean
  /** The variable from which the program reads its key; absent if it needs none. */
  keyInside?: string
  /** Context window of its model, in tokens; absent if unknown. A longer prompt is not sent. */
  window?: number
  /** Which values of `reasoning` it takes; absent if none. */
  range?: ModelSettingRange
  /** Its settings can take its own tools from it, so that it has those of a server alone. */
  directs?: true
  /** Returns the arguments of a call. The prompt comes on standard input, which is then closed. */
  args(call: CliCall): string[]
  /** Returns the environment of a call, besides HOME, PATH and the key. */
  env(call: CliCall): Readonly<Record<string, string>>
  /** Returns the settings files of a fresh HOME, which turn off memory, telemetry, updates and tools of the provider. */
  home(call: CliCall): Files
  read(output: CliOutput): CliReading
  /** Opens a conversation with the program; absent if the prompt is its input and the answer its output. */
  talk?(call: CliCall, start: TalkStart): CliTalk
}

/** Retries inside a CLI. They would hide attempts with their cost and time, so only bench retries. */
export const cliRetries = 0
