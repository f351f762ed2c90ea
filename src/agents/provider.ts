import type { LazySandbox } from '../sandbox/open-sandbox.ts'
import type { AgentProgram } from '../schema/agent/agent-program.ts'
import type { AgentSetting, AgentSettings } from '../schema/agent/agent-settings.ts'
import type { PriceFile } from '../schema/agent/prices.ts'
import type { Profile } from '../schema/agent/profile.ts'
import type { Task } from '../schema/task.ts'
import type { Agent } from './agent.ts'
import type { EndpointSettings } from './http/endpoint.ts'
import type { CandidateRunner } from './mutants/mutant-pool.ts'

/** What providers may lean on. */
export interface AgentEnvironment {
  tasks: readonly Task[]
  /** How simulated agents behave; they cannot be made without. */
  profile: Profile | undefined
  tryCandidate: CandidateRunner
  /** Where agents that are programs run. */
  sandbox: LazySandbox
  /** Folder for what can be computed again; undefined keeps nothing. */
  cache?: string | undefined
  onWarning?: (message: string) => void
  /** Where relative paths start; the process's folder by default. */
  cwd?: string
  /** Id of the run. */
  run?: string
  /** The user's prices; they win over the table. */
  prices?: PriceFile | undefined
  /** Where providers are asked, whose key they get and what they let through, by provider; what is absent comes from the environment. */
  endpoints?: Readonly<Record<string, EndpointSettings>>
  /** What is set of single agents, by their names. */
  settings?: AgentSettings | undefined
  /** The user's own program, of an agent that is one. */
  program?: AgentProgram | undefined
}

/** A kind of adapter. */
export interface Provider {
  /** As written before the colon. */
  name: string
  /** One line for `bench agents`. */
  summary: string
  /** What stands after the colon; absent where nothing may, in brackets where nothing need. */
  model?: string
  /** What may be set of its agents; absent: nothing. */
  settings?: readonly (keyof AgentSetting)[]
  /**
   * What a call reaches: nothing outside of bench; a module of the user's, which says itself whether it is paid; a model; or a
   * program that works by itself. Dev mode takes no agent that reaches a model or a program.
   */
  reaches: 'nothing' | 'module' | 'model' | 'program'
  /** Nobody but a config file can say what its agents are. */
  needsProgram?: true
  create(model: string, environment: AgentEnvironment): Agent | Promise<Agent>
}
