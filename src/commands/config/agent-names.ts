import { withoutLabel } from '../../agents/agent.ts'
import { checkAgentName, nearAgent, providers } from '../../agents/registry.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Problem } from '../../text/errors.ts'
import { findConfig, readConfig } from './config-file.ts'

/**
 * Returns what is wrong with the name of an agent: `provider:model`, `LABEL=PROVIDER:MODEL`, or a name of the config file, whose
 * own entry is checked with that file. Undefined if an agent can have it.
 */
export function agentNameProblem(
  name: string,
  agents: Config['agents'] = {},
): Omit<Problem, 'where'> | undefined {
  return Object.hasOwn(agents, name)
    ? undefined
    : (unknownLabel(name, agents) ?? checkAgentName(withoutLabel(name)))
}

/** Returns the problem of a name that can only be an agent of the config file, if the file has no such agent. Undefined if it names no agents. */
export function unknownLabel(
  name: string,
  agents: Config['agents'] = {},
): Omit<Problem, 'where'> | undefined {
  const labels = Object.keys(agents)
  if (labels.length === 0 || name.includes(':') || Object.hasOwn(agents, name)) return undefined
  if (providers.some((provider) => provider.name === withoutLabel(name))) return undefined
  const { where: _, ...problem } = unknownName('', 'agent', name, labels, 'bench agents')
  const near = nearAgent(name)
  return near ? { ...problem, fix: near } : problem
}

/** Checks the name of an agent with the config file of this folder, which is read only if a document names an agent. */
export function folderAgentProblem(name: string): Omit<Problem, 'where'> | undefined {
  const config = findConfig()
  return agentNameProblem(name, config === undefined ? {} : readConfig(config).config.agents)
}
