import type { Agent } from '../../agents/agent.ts'
import { isPaidOrProgram } from '../../agents/paid-or-simulated.ts'
import { agentReach } from '../../agents/registry.ts'
import type { Problem } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import type { NamedAgent } from './select-agents.ts'

/** Returns why dev mode rejects an agent of this name; undefined if the name alone does not decide. */
function reasonOf(name: string): string | undefined {
  const reach = agentReach(name)
  if (reach === 'model') return 'asks a real model'
  return reach === 'program' ? 'starts a real agent CLI' : undefined
}

/** Returns the names that dev mode may allow. Agents with other names are not created. */
export function namesAllowedInDev(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).filter(([, name]) => reasonOf(name) === undefined))
}

/**
 * Returns the problems of the agents that were named for a run in dev mode, which allows neither paid agents nor programs.
 * `created` holds the agents that could be created: only a loaded module says whether it is paid.
 */
export function devAgentProblems(
  named: readonly NamedAgent[],
  created: ReadonlyMap<string, Agent>,
  { dev, mode }: Pick<RunOptions, 'dev' | 'mode'>,
): Problem[] {
  const typed = dev ? '--dev' : mode === 'dev' ? '--mode dev' : undefined
  const fix =
    typed === undefined ? 'Add --mode live to use it.' : `Replace ${typed} by --mode live to use it.`
  return named.flatMap(({ where, name }) => {
    const agent = created.get(name)
    const reason = reasonOf(name) ?? (agent && isPaidOrProgram(agent) ? 'is paid' : undefined)
    return reason === undefined
      ? []
      : [{ where, what: `the agent ${name} ${reason}, which dev mode does not allow`, fix }]
  })
}

/** Returns the same problems for a run folder that says dev mode. Its run.json may have been edited, so the agents are checked again. */
export function resumedDevAgentProblems(folder: string, agents: ReadonlyMap<string, Agent>): Problem[] {
  const restricted = [...agents.values()].filter(isPaidOrProgram)
  return restricted.map(({ name, isProgram }) => ({
    where: `${folder}/run.json`,
    what: `the run was started in dev mode, but its agent ${name} is ${isProgram ? 'a program' : 'paid'}`,
    fix: 'Start a new run with --mode live.',
  }))
}
