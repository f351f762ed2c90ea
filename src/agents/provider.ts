import type { LazySandbox } from '../sandbox/open-sandbox.ts'
import type { AgentProgram } from '../schema/agent/agent-program.ts'
import type { AgentSetting, AgentSettings } from '../schema/agent/agent-settings.ts'
import type { PriceFile } from '../schema/agent/prices.ts'
import type { Profile } from '../schema/agent/profile.ts'
import type { Task } from '../schema/task.ts'
import type { Agent, RecordedReplies } from './agent.ts'
import type { EndpointSettings } from './http/endpoint.ts'
import type { AskedOfModel, ModelSettingRange } from './model-settings.ts'
import type { SubmissionRunner } from './mutants/mutant-pool.ts'

/** What a provider may use to create an agent. */
export interface AgentEnvironment {
  tasks: readonly Task[]
  /** The behaviour of simulated agents, which need one. */
  profile: Profile | undefined
  trySubmission: SubmissionRunner
  /** Reads recorded replies to the tasks by what stands after `recorded:`. */
  readRecorded?: ((files: string) => Promise<RecordedReplies>) | undefined
  /** The sandbox for agents that are programs. */
  sandbox: LazySandbox
  /** Cache folder; undefined turns the cache off. */
  cache?: string | undefined
  onWarning?: (message: string) => void
  /** Base of relative paths; the working directory by default. */
  cwd?: string
  run?: string
  /** The user's prices, which take precedence over the table. */
  prices?: PriceFile | undefined
  /** Address, key variable and rate limits by provider. What is absent comes from the environment. */
  endpoints?: Readonly<Record<string, EndpointSettings>>
  /** Settings of single agents, by name. */
  settings?: AgentSettings | undefined
  /** Agents that are programs may use what their provider runs: `--allow-provider-tools`. */
  providerTools?: boolean | undefined
  /** The user's program, for an agent of provider `cli`. */
  program?: AgentProgram | undefined
  /** What the agent asks of its model beside the prompt, and its name in records; absent if it sets nothing. */
  asked?: AskedOfModel | undefined
}

/** A provider: one kind of agent, and how to create it. */
export interface Provider {
  /** The name before the colon. */
  name: string
  /** One line for `bench agents`. */
  summary: string
  /** What follows the colon, such as `MODEL`; in brackets if optional, absent if nothing may follow. */
  model?: string
  /** The settings that its agents take; absent means none. */
  settings?: readonly (keyof AgentSetting)[]
  /** Which values of its settings of models it takes. */
  range?: ModelSettingRange
  /**
   * What a call reaches: nothing outside bench; recorded replies; a module of the user, which declares itself whether it is paid; a
   * model; or a program that works by itself. Dev mode refuses agents that reach a model or a program.
   */
  reaches: 'nothing' | 'replies' | 'module' | 'model' | 'program'
  /** How its agents use tools; absent if they use none. Each of its agents says the same. */
  tools?: Agent['tools']
  /** Only a config file can describe its agents. */
  needsProgram?: true
  /** What follows its colon is the command of a program. */
  namesProgram?: true
  create(model: string, environment: AgentEnvironment): Agent | Promise<Agent>
}
