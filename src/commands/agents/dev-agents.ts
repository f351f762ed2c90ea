import type { Agent } from '../../agents/agent.ts'
import { reachOf } from '../../agents/registry.ts'
import { isGated } from '../../agents/what-answers.ts'
import type { Problem } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import type { NamedAgent } from './select-agents.ts'

/** Why dev mode does not take an agent, by its name alone; undefined where only the made agent can tell. */
function reasonOf(name: string): string | undefined {
  const reach = reachOf(name)
  if (reach === 'model') return 'asks a real model'
  return reach === 'program' ? 'starts a real agent CLI' : undefined
}

/** The names that dev mode takes as far as names tell: an agent of any other is not even made. */
export function namesAllowedInDev(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).filter(([, name]) => reasonOf(name) === undefined))
}

/**
 * Problems with the agents that were named for a run in dev mode: it takes none that is paid or a program. `made` holds
 * those of them that could be made; a module says only then whether it is paid.
 */
export function devAgentProblems(
  named: readonly NamedAgent[],
  made: ReadonlyMap<string, Agent>,
  { dev, mode }: Pick<RunOptions, 'dev' | 'mode'>,
): Problem[] {
  const typed = dev ? '--dev' : mode === 'dev' ? '--mode dev' : undefined
  const fix =
    typed === undefined ? 'Add --mode live to use it.' : `Write --mode live in place of ${typed} to use it.`
  return named.flatMap(({ where, name }) => {
    const agent = made.get(name)
    const reason = reasonOf(name) ?? (agent && isGated(agent) ? 'is paid' : undefined)
    return reason === undefined
      ? []
      : [{ where, what: `the agent ${name} ${reason}, and dev mode takes no such agent`, fix }]
  })
}

/** The same for a run folder that was begun in dev mode, whoever wrote its run.json. */
export function resumedDevAgentProblems(folder: string, agents: ReadonlyMap<string, Agent>): Problem[] {
  const gated = [...agents.values()].filter(isGated)
  return gated.map(({ name, isProgram }) => ({
    where: `${folder}/run.json`,
    what: `the run was begun in dev mode, and its agent ${name} is ${isProgram ? 'a program' : 'paid'}`,
    fix: 'Begin another run with --mode live.',
  }))
}
