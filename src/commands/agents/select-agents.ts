import { providers } from '../../agents/registry.ts'
import { type KnownStrategy, unknownName } from '../../loop/plan/method-spec.ts'
import { roleNames } from '../../loop/plan/row-agents.ts'
import type { AgentSet } from '../../schema/agent/agent-set.ts'
import type { AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { ModelPrices } from '../../schema/agent/prices.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Problem } from '../../text/errors.ts'
import type { Given } from '../config/given-options.ts'
import { parseAgents } from '../config/run-options.ts'

type Names = Record<string, string>

/** Who answers for which role, by the names that stand in records. */
export interface SelectedAgents {
  /** For all methods; `*` stands for all other roles. Where there are several sets, the first. */
  agents: Names
  /** Where `--agents` names several: each with the roles that have an agent of their own. */
  agentSets: AgentSet[] | undefined
  /** The methods as they were given, with their roles and the agents of their own. */
  methods: Method[]
  settings: AgentSettings
  /** Each agent that was named for this run, with the place that names it. */
  named: NamedAgent[]
  /** Of agents that have prices of their own. */
  prices: Record<string, ModelPrices>
}

/** An agent by the name under which it stands in records, and the place that names it. */
export interface NamedAgent {
  where: string
  name: string
}

/** Resolves the agents of command line and file for the chosen methods; adds all that is wrong to `problems`. */
export function selectAgents(
  given: Given,
  mode: 'dev' | 'live',
  {
    methods,
    strategies,
    entryOf,
  }: {
    methods: readonly Method[]
    strategies: readonly KnownStrategy[]
    entryOf(label: string): string | undefined
  },
  problems: Problem[],
): SelectedAgents {
  const { options, config } = given
  const namesOfRoles = (method: Method) => roleNames(method, strategies)
  const roles = [...new Set(methods.flatMap(namesOfRoles))]
  if (options.agents === '')
    problems.push({ where: '--agents', what: 'is empty', fix: 'Write provider:model, or leave it out.' })
  const all = options.agents ?? (mode === 'dev' ? 'simulated' : undefined)
  const several = all === undefined ? [] : splitAgents(all, problems)
  const typed = parseAgents(problems, several[0], options.agent ?? [], roles)
  // The command line's agent for all roles is for all roles.
  const usesFile = mode === 'live' && (options.agents === undefined || given.isFromFile('agents'))
  const fileRoles = (usesFile && config?.config.roles) || {}
  const named: NamedAgent[] = []
  const name = (where: string, text: string) => {
    const found = nameOf(where, text, config?.config, problems)
    named.push({ where, name: found })
    return found
  }

  const agents: Names = {}
  for (const [role, text] of Object.entries(fileRoles))
    if (roles.includes(role)) agents[role] = name(config?.where('roles', role) ?? '', text)
  for (const [role, text] of Object.entries(typed))
    agents[role] = name(role === '*' ? `--agents ${text}` : `--agent ${role}=${text}`, text)

  const own = methods.map((method) => {
    const entry = entryOf(method.label)
    const given = (usesFile && entry !== undefined && config?.config.methods?.[entry]?.roles) || {}
    const names: Names = {}
    for (const [role, text] of Object.entries(given)) {
      const where = config?.where('methods', entry ?? '', 'roles', role) ?? ''
      if (!namesOfRoles(method).includes(role))
        problems.push(
          unknownName(where, 'role', role, namesOfRoles(method), `bench methods ${method.strategy}`),
        )
      else if (role === '*' || !Object.hasOwn(typed, role)) names[role] = name(where, text)
    }
    return { ...method, roles: namesOfRoles(method), ...(Object.keys(names).length > 0 && { agents: names }) }
  })
  const sets = several.map((text, place) => ({
    label: text,
    agents: place === 0 ? agents : { ...agents, '*': name(`--agents ${text}`, text) },
  }))
  const agentSets = sets.length > 1 ? sets : undefined
  if (agentSets) problems.push(...sameForAll(agentSets, own))
  problems.push(...withoutAgent(own, agents))
  const inUse = [agents, ...sets.map((set) => set.agents), ...own.map((method) => method.agents ?? {})]
  const used = new Set(inUse.flatMap((names) => Object.values(names)))
  return { agents, agentSets, methods: own, named, ...settingsOf(config?.config.agents ?? {}, used) }
}

function withoutAgent(methods: readonly Method[], agents: Names): Problem[] {
  const missing = methods.flatMap(({ roles = [], agents: own }) =>
    roles.filter((role) => !(own?.[role] ?? agents[role] ?? agents['*'])),
  )
  return [...new Set(missing)].map((role) => ({
    where: '--mode live',
    what: `role "${role}" has no agent`,
    fix: `Give one: --agent ${role}=PROVIDER:MODEL, or --agents for all.`,
  }))
}

/** `A,B`: each by itself answers for every method. */
function splitAgents(text: string, problems: Problem[]): string[] {
  const parts = text.split(',').map((part) => part.trim())
  const twice = parts.find((part, place) => parts.indexOf(part) < place)
  const fix = 'Write for example --agents A,B: every method then runs with A and with B.'
  if (parts.length > 1 && parts.includes(''))
    problems.push({ where: `--agents ${text}`, what: 'leaves an agent empty', fix })
  else if (twice !== undefined)
    problems.push({ where: `--agents ${text}`, what: `names "${twice}" twice`, fix })
  else return parts
  return parts.slice(0, 1)
}

/** A method whose roles all have agents of their own would run the very same trials with every set. */
function sameForAll(sets: readonly AgentSet[], methods: readonly Method[]): Problem[] {
  return methods.flatMap(({ label, roles = [], agents: own }): Problem[] => {
    const answering = sets.map((set) => {
      const names: Names = { ...set.agents, ...own }
      return JSON.stringify(roles.map((role) => names[role] ?? names['*']))
    })
    if (roles.length === 0 || new Set(answering).size === sets.length) return []
    return [
      {
        where: `--agents ${sets.map((set) => set.label).join(',')}`,
        what: `method "${label}" has the same agents with two of them`,
        fix: 'Leave a role without an agent of its own, or give one agent for all.',
      },
    ]
  })
}

/** The name under which an agent stands in records: of the file's agents, with what they stand for. */
function nameOf(where: string, text: string, config: Config | undefined, problems: Problem[]): string {
  const named = config?.agents ?? {}
  const entry = Object.hasOwn(named, text) ? named[text] : undefined
  if (entry !== undefined) return recordedName(text, entry)
  const labels = Object.keys(named)
  if (labels.length > 0 && !text.includes(':') && !providers.some(({ name }) => name === text))
    problems.push(unknownName(where, 'agent', text, labels, 'bench agents'))
  return text
}

type AgentEntry = NonNullable<Config['agents']>[string]

/** `PROVIDER:MODEL`, and the label before it where more is said of the agent. */
export function recordedName(label: string, agent: AgentEntry): string {
  if (typeof agent === 'string') return agent
  const { provider, model, ...more } = agent
  const plain = model === undefined ? provider : `${provider}:${model}`
  return Object.keys(more).length > 0 ? `${label}=${plain}` : plain
}

function settingsOf(
  named: Readonly<Record<string, AgentEntry>>,
  used: ReadonlySet<string>,
): Pick<SelectedAgents, 'settings' | 'prices'> {
  const settings: AgentSettings = {}
  const prices: Record<string, ModelPrices> = {}
  for (const [label, agent] of Object.entries(named)) {
    const name = recordedName(label, agent)
    if (typeof agent === 'string' || !used.has(name)) continue
    const { provider: _, model: __, prices: own, ...setting } = agent
    if (name.includes('=')) settings[name] = setting
    if (own) prices[name] = own
  }
  return { settings, prices }
}
