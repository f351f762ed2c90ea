import type { Problem } from '../../text/errors.ts'
import { agentNameProblem } from './agent-names.ts'
import { findConfig, readConfig } from './config-file.ts'

/** Checks the name of an agent with the config file of this folder, which is read only if a document names an agent. */
export function folderAgentProblem(name: string): Omit<Problem, 'where'> | undefined {
  const config = findConfig()
  return agentNameProblem(name, config === undefined ? {} : readConfig(config).config.agents)
}
