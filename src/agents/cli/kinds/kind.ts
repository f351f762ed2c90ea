import type { Wire } from '../../../schema/agent/agent-program.ts'
import type { ModelSetting } from '../../../schema/agent/model-setting.ts'
import type { Files } from '../../../schema/task.ts'
import type { ModelSettingRange } from '../../model-settings.ts'
import type { Vendor } from '../../vendor.ts'
import type { CliOutput, CliReading } from '../reading.ts'

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
}

/** A kind of agent CLI: how to call it, the settings in its HOME, and how to read its output. Plain data and pure functions. */
export interface CliKind extends Vendor {
  /** One line for `bench agents`. */
  summary: string
  /** The program's name on the PATH, or its path. */
  program: string
  /** The command that installs it, if known. */
  install?: string
  /** The wires in which it asks its models. */
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
  /** Returns the arguments of a call. The prompt comes on standard input, which is then closed. */
  args(call: CliCall): string[]
  /** Returns the environment of a call, besides HOME, PATH and the key. */
  env(call: CliCall): Readonly<Record<string, string>>
  /** Returns the settings files of a fresh HOME, which turn off memory, telemetry, updates and tools of the provider. */
  home(call: CliCall): Files
  /** Reads the program's output. */
  read(output: CliOutput): CliReading
}

/** Retries inside a CLI. They would hide attempts with their cost and time, so only bench retries. */
export const cliRetries = 0
