import { type Agent, withoutLabel } from '../../agents/agent.ts'
import { loadProfile } from '../../agents/simulated/load-profile.ts'
import { areSimulated, isSimulated } from '../../agents/what-answers.ts'
import { findRowAgents, type RowAgents, roleNames } from '../../loop/plan/row-agents.ts'
import type { Faults } from '../../schema/agent/faults.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { dropInvalidNames } from '../agents/config-agents.ts'
import { devAgentProblems, namesAllowedInDev } from '../agents/dev-agents.ts'
import { pricesOf } from '../agents/live-manifest.ts'
import { type SelectedAgents, selectAgents } from '../agents/select-agents.ts'
import { type AgentTools, agentNamesByRole, makeAgents } from '../agents/session.ts'
import type { Given } from '../config/given-options.ts'
import type { ChosenMethods } from '../methods/chosen-methods.ts'
import { parseFaults } from '../values/inject-option.ts'
import { attempt } from '../values/parse-values.ts'

/** Who is to answer in a new run, by name. */
export interface NamedAgents extends SelectedAgents {
  faults: Faults | undefined
  /** Of simulated agents. */
  profile: Profile | undefined
  /** Every name, by the role that it stands for. */
  names: Record<string, string>
}

/** Names the agents of the chosen methods, the faults that hit them, and the profile of simulated ones; adds all that is wrong. */
export async function nameAgents(
  given: Given,
  mode: RunManifest['mode'],
  methods: ChosenMethods,
  problems: Problem[],
): Promise<NamedAgents> {
  const { options } = given
  const chosen = selectAgents(given, mode, methods, problems)
  const roles = methods.methods.flatMap((method) => roleNames(method, methods.strategies))
  const faults = parseFaults(problems, options.inject ?? [], [...new Set(roles)])
  const names = agentNamesByRole(chosen)
  const isNeeded = Object.values(names).some((name) => withoutLabel(name) === 'simulated')
  if (options.profile !== undefined && !isNeeded && !given.isFromFile('profile'))
    problems.push({
      where: `--profile ${options.profile}`,
      what: 'is only for simulated agents',
      fix: 'Leave it out, or use --agents simulated.',
    })
  const profile = isNeeded
    ? await attempt(problems, () => loadProfile(options.profile ?? 'default'), undefined)
    : undefined
  return { ...chosen, faults, profile, names }
}

/** The agents of a new run. */
export interface MadeAgents {
  /** By name. */
  made: ReadonlyMap<string, Agent>
  /** By row and role. */
  rows: RowAgents
  /** The user's own prices. */
  prices: PriceFile | undefined
  /** What is set of their providers. */
  providers: NonNullable<RunManifest['providers']>
}

/** Makes the agents that were named; adds all that is wrong, and leaves out what cannot be made. */
export async function makeNamedAgents(
  named: NamedAgents,
  run: {
    given: Given
    mode: RunManifest['mode']
    id: string
    tasks: readonly Task[]
    strategies: ChosenMethods['strategies']
  },
  tools: AgentTools,
  problems: Problem[],
): Promise<MadeAgents> {
  const { options, config } = run.given
  const own = { ...config?.config.prices, ...named.prices }
  const prices = await attempt(problems, () => pricesOf(options.prices, own), undefined)
  const providers = providersUsed(config?.config.providers, Object.values(named.names))
  const names = dropInvalidNames(named.names, config)
  const parts = {
    tasks: run.tasks,
    // An unreadable profile is reported above. Agents cannot be made without one, so they get the default.
    profile: named.profile ?? loadProfile('default'),
    cwd: process.cwd(),
    run: run.id,
    prices,
    settings: named.settings,
    endpoints: providers,
    ...tools,
  }
  const taken = run.mode === 'dev' ? namesAllowedInDev(names) : names
  const made = await attempt(problems, () => makeAgents(taken, parts), new Map<string, Agent>())
  if (run.mode === 'dev') problems.push(...devAgentProblems(named.named, made, options))
  const rows = findRowAgents(named, run.strategies, made, { mayLack: true })
  problems.push(...mixedRows(rows))
  return { made, rows, prices, providers }
}

/** What is set of the providers of these agents. */
function providersUsed(
  settings: RunManifest['providers'] = {},
  names: readonly string[],
): NonNullable<RunManifest['providers']> {
  const used = names.map((name) => withoutLabel(name).split(':')[0])
  return Object.fromEntries(Object.entries(settings).filter(([provider]) => used.includes(provider)))
}

/** Rows with simulated agents beside rows without any: their numbers may not stand in one table, so they are two runs. */
function mixedRows(rows: RowAgents): Problem[] {
  const all = [...rows].map(([name, agents]) => ({ name, agents: Object.values(agents) }))
  const one = all.find(({ agents }) => areSimulated(agents))
  const other = all.find(({ agents }) => agents.length > 0 && !areSimulated(agents))
  if (!one || !other) return []
  const named = one.agents.find(isSimulated)?.name
  return [
    {
      where: '--agents',
      what: `${one.name} asks ${named}, whose numbers are made up, and ${other.name} asks no such agent: they cannot stand in one table`,
      fix: 'Run them apart.',
    },
  ]
}
