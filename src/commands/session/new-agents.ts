import { type Agent, withoutLabel } from '../../agents/agent.ts'
import { includesRecorded, includesSimulated, isSimulated } from '../../agents/paid-or-simulated.ts'
import { isSimulatedName, loadProfile } from '../../agents/simulated/load-profile.ts'
import { distinctAgents, findRowAgents, type RowAgents, roleNames } from '../../loop/plan/row-agents.ts'
import type { Faults } from '../../schema/agent/faults.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { dropInvalidNames } from '../agents/config-agents.ts'
import { devAgentProblems, namesAllowedInDev } from '../agents/dev-agents.ts'
import { type AgentTools, agentNamesByRole, makeAgents } from '../agents/make-agents.ts'
import { checkRecorded } from '../agents/recorded-agents.ts'
import { type SelectedAgents, selectAgents } from '../agents/select-agents.ts'
import { selectJudges } from '../agents/select-judges.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import type { SelectedMethods } from '../methods/select-methods.ts'
import { parseFaults } from '../values/inject-option.ts'
import { collectProblems } from '../values/parse-values.ts'
import { checkPriceFile, selectPrices } from './new-prices.ts'

/** The names of the agents of a new run, with their faults and profile. */
export interface NamedAgents extends SelectedAgents {
  faults: Faults | undefined
  /** The profile of simulated agents. */
  profile: Profile | undefined
  /** Every name, by its role. */
  names: Record<string, string>
}

/** The agents by role of the run that methods are added to, and the profile of its simulated ones. */
export interface EarlierAgents {
  agents: RunManifest['agents']
  profile: Profile | undefined
}

/** Names the agents of the chosen methods, their injected faults, and the profile of simulated ones. Adds every problem. */
export async function nameAgents(
  given: MergedOptions,
  { mode, before }: { mode: RunManifest['mode']; before: EarlierAgents | undefined },
  methods: SelectedMethods,
  tasks: readonly Task[],
  problems: Problem[],
): Promise<NamedAgents> {
  const { options } = given
  const judges = selectJudges(given, mode, tasks, problems)
  const roles = methods.methods.flatMap((method) => roleNames(method, methods.strategies))
  const all = before ? withAgentsOf(before, given, roles) : given
  const chosen = selectAgents(all, mode, { ...methods, judges }, problems)
  const faults = parseFaults(problems, options.inject ?? [], [...new Set(roles)])
  const names = agentNamesByRole(chosen)
  const isNeeded = Object.values(names).some((name) => isSimulatedName(name))
  if (options.profile !== undefined && !isNeeded && !given.isFromFile('profile'))
    problems.push({
      where: `--profile ${options.profile}`,
      what: 'applies to simulated agents only',
      fix: 'Leave it out, or use --agents simulated.',
    })
  const load = () => before?.profile ?? loadProfile(options.profile ?? 'default')
  const profile = isNeeded ? await collectProblems(problems, load, undefined) : undefined
  return { ...chosen, faults, profile, names }
}

/** Gives methods that are added to a run its agents; those of roles that none of them has are left out. */
function withAgentsOf(
  { agents: { '*': forAll, ...byRole } }: EarlierAgents,
  given: MergedOptions,
  roles: readonly string[],
): MergedOptions {
  const known = Object.entries(byRole).filter(([role]) => roles.includes(role))
  const agent = known.map(([role, name]) => `${role}=${name}`)
  const agents = given.options.agents ?? forAll
  return { ...given, options: { ...given.options, ...(agents !== undefined && { agents }), agent } }
}

/** The created agents of a new run. */
export interface CreatedAgents {
  /** The agents by name. */
  created: ReadonlyMap<string, Agent>
  /** Who judges; none without a task with a rubric. */
  judges: readonly Agent[]
  /** The agents that judge, or that at least one role of one method asks. */
  asked: readonly Agent[]
  /** The agents by row and role. */
  rows: RowAgents
  /** The user's own prices of these agents. */
  prices: Pick<NonNullable<RunManifest['prices']>, 'file' | 'labels'>
  /** What is known of their recorded replies; undefined if none has some. */
  recorded: RunManifest['recorded']
  providers: NonNullable<RunManifest['providers']>
  /** What the user should know before the run. */
  notes: readonly string[]
}

/** Creates the named agents. Adds every problem, and leaves out the agents that cannot be created. */
export async function createNamedAgents(
  named: NamedAgents,
  run: {
    given: MergedOptions
    mode: RunManifest['mode']
    epochs: number
    id: string
    tasks: readonly Task[]
    strategies: SelectedMethods['strategies']
  },
  tools: AgentTools,
  problems: Problem[],
): Promise<CreatedAgents> {
  const { options, config } = run.given
  const selected = await collectProblems(problems, () => selectPrices(named.names, run, problems), undefined)
  const prices = selected ?? {}
  const providers = providersUsed(config?.config.providers, Object.values(named.names))
  const names = dropInvalidNames(named.names, config, named.invalid)
  const parts = {
    tasks: run.tasks,
    // An unreadable profile is reported above. Agents cannot be created without one, so they get the default.
    profile: named.profile ?? loadProfile('default'),
    cwd: process.cwd(),
    run: run.id,
    prices: prices.file,
    settings: named.settings,
    endpoints: providers,
    providerTools: options.allowProviderTools,
    ...tools,
  }
  const allowed = run.mode === 'dev' ? namesAllowedInDev(names) : names
  const created = await collectProblems(problems, () => makeAgents(allowed, parts), new Map<string, Agent>())
  if (run.mode === 'dev') problems.push(...devAgentProblems(named.named, created, options))
  const priceNotes = selected ? await checkPriceFile(created, run, selected, problems) : []
  const rows = findRowAgents(named, run.strategies, created, { allowMissing: true })
  const judges = (named.judges ?? []).flatMap((name) => created.get(name) ?? [])
  const isOfRecorded = includesRecorded(distinctAgents(rows))
  problems.push(...(isOfRecorded ? [] : mixedRows(rows)), ...simulatedJudges(judges, rows))
  const replies = await checkRecorded({ ...run, named, rows, judges }, problems)
  return {
    ...{ created, judges, recorded: replies.recorded },
    asked: [...new Set([...distinctAgents(rows), ...judges])],
    rows,
    prices,
    providers,
    notes: [...leftNotes(named, config), ...replies.notes, ...priceNotes],
  }
}

function leftNotes({ leftForLive }: NamedAgents, config: MergedOptions['config']): string[] {
  if (leftForLive.length === 0 || !config) return []
  return [
    `${config.file} names agents that dev mode does not ask (${leftForLive.join(', ')}): simulated agents stand for them; add --mode live to ask them`,
  ]
}

/** Returns the settings of the providers that these agents use. */
function providersUsed(
  settings: RunManifest['providers'] = {},
  names: readonly string[],
): NonNullable<RunManifest['providers']> {
  const used = names.map((name) => withoutLabel(name).split(':')[0])
  return Object.fromEntries(Object.entries(settings).filter(([provider]) => used.includes(provider)))
}

/** Returns a problem for simulated judges of work that no simulated agent made: their scores would look real. */
function simulatedJudges(judges: readonly Agent[], rows: RowAgents): Problem[] {
  const judge = judges.find(isSimulated)
  const row = [...rows].find(([, agents]) => !includesSimulated(Object.values(agents)))
  if (!judge || !row) return []
  return [
    {
      where: `--judges ${judge.name}`,
      what: `is simulated, but ${row[0]} asks no simulated agent; scores of real work must not be simulated`,
      fix: 'Name judges that call a model, such as --judges openai:MODEL.',
    },
  ]
}

/** Returns a problem if some rows have simulated agents and others do not: a table must not mix simulated and real numbers. */
function mixedRows(rows: RowAgents): Problem[] {
  const all = [...rows].map(([name, agents]) => ({ name, agents: Object.values(agents) }))
  const one = all.find(({ agents }) => includesSimulated(agents))
  const other = all.find(({ agents }) => agents.length > 0 && !includesSimulated(agents))
  if (!one || !other) return []
  const named = one.agents.find(isSimulated)?.name
  return [
    {
      where: '--agents',
      what: `${one.name} asks ${named}, whose numbers are simulated, but ${other.name} asks no simulated agent; one table must not mix them`,
      fix: 'Run them as two runs.',
    },
  ]
}
