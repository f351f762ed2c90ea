import type { Agent } from '../../agents/agent.ts'
import { isPaidOrProgram } from '../../agents/paid-or-simulated.ts'
import { agentReach } from '../../agents/registry.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Problem } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'

/** An agent that a run names, with the place that names it. */
export interface NamedAgent {
  where: string
  name: string
}

/** Returns what a config file says of the agents of these methods, where the command line names no other. */
export function agentsOfFile(
  { run = {}, roles = {}, methods: entries = {} }: Config = {},
  methods: readonly Method[],
  { entryOf, typed }: { entryOf(label: string): string | undefined; typed: Readonly<Record<string, string>> },
): string[] {
  const asked = [...new Set(methods.flatMap((method) => method.roles ?? []))]
  const all = methods.flatMap(({ label }) => {
    const entry = entryOf(label)
    const own = (entry !== undefined && entries[entry]?.roles) || {}
    return Object.entries(own).map(([role, name]) => ({
      role,
      text: `methods.${entry}.roles.${role}: ${name}`,
    }))
  })
  const others = Object.entries(roles).map(([role, name]) => ({ role, text: `roles.${role}: ${name}` }))
  const named = [...all, ...others].filter(
    ({ role }) => (asked.includes(role) || role === '*') && !Object.hasOwn(typed, role),
  )
  const isLeft = asked.some((role) => !Object.hasOwn(typed, role) && !named.some((one) => one.role === role))
  const forAll = isLeft ? [run.agents ?? []].flat() : []
  return [...new Set([...named.map(({ text }) => text), ...forAll.map((name) => `run.agents: ${name}`)])]
}

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
