import { closest } from 'fastest-levenshtein'
import { type Problem, UserError } from '../errors.ts'
import type { LazySandbox } from '../sandbox/open-sandbox.ts'
import type { AgentSetting, AgentSettings } from '../schema/agent-settings.ts'
import type { PriceFile } from '../schema/prices.ts'
import type { Profile } from '../schema/profile.ts'
import type { Task } from '../schema/task.ts'
import type { Agent } from './agent.ts'
import type { CliKind } from './cli/kind.ts'
import { cliKinds } from './cli/kinds.ts'
import type { EndpointSettings } from './http/endpoint.ts'
import { families } from './http/families.ts'
import type { Family } from './http/family.ts'
import type { TryCandidate } from './mutant-pool.ts'
import { createNoOp } from './no-op.ts'
import { createOracle } from './oracle.ts'
import { loadScripted } from './scripted.ts'
import { createSimulated } from './simulated.ts'

/** What providers may lean on. */
export interface AgentEnvironment {
  tasks: readonly Task[]
  /** How simulated agents behave; they cannot be made without. */
  profile: Profile | undefined
  tryCandidate: TryCandidate
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
  create(model: string, environment: AgentEnvironment): Agent | Promise<Agent>
}

/** All providers, in the order in which they are listed. */
export const providers: readonly Provider[] = [
  {
    name: 'simulated',
    summary:
      'Answers from a seeded behaviour profile: no model, no network, no cost; real files, really graded.',
    create: (_, { profile, ...environment }) => {
      if (profile) return createSimulated({ profile, ...environment })
      const fix = 'Run in dev mode, or name a profile.'
      throw new UserError({ where: 'agent simulated', what: 'it needs a behaviour profile', fix })
    },
  },
  {
    name: 'oracle',
    summary: 'Hands in the reference solution and approves of everything; every task must be passed by it.',
    create: (_, { tasks }) => createOracle(tasks),
  },
  {
    name: 'no-op',
    summary: 'Hands in nothing and approves of nothing; every task must be failed by it.',
    create: () => createNoOp(),
  },
  {
    name: 'scripted',
    summary: 'Replies as a module of yours says: a function of the request, or a list of replies.',
    model: 'PATH',
    create: (path, { cwd }) => loadScripted(path, cwd),
  },
  ...families.map(overHttp),
  {
    name: 'ollama',
    summary:
      'A local model of Ollama; without a name those that fit the graphics memory, one for each kind of work.',
    model: '[MODEL]',
    settings: ['baseUrl', 'maxOutput'],
    create: async (model, { run = '', prices, endpoints }) => {
      const { createOllama } = await import('./ollama/ollama-agent.ts')
      return createOllama(model, {
        run,
        prices,
        address: endpoints?.ollama?.baseUrl,
        limits: endpoints?.ollama?.limits,
      })
    },
  },
  ...cliKinds.map(asProgram),
]

/** A family of models over HTTP as a provider. What asks is loaded with the first agent, the vendor's library later still. */
function overHttp(family: Family): Provider {
  const { name, summary } = family
  return {
    name,
    summary,
    model: 'MODEL',
    settings: ['baseUrl', 'keyVariable', 'maxOutput'],
    create: async (model, { run = '', prices, endpoints }) => {
      const { createHttpAgent } = await import('./http/http-agent.ts')
      return createHttpAgent(family, model, { run, prices, settings: endpoints?.[name] })
    },
  }
}

/** An agent CLI as a provider; what calls it is loaded with the first agent. */
function asProgram(kind: CliKind): Provider {
  const { name, summary } = kind
  return {
    name,
    summary,
    model: 'MODEL',
    settings: ['baseUrl', 'keyVariable'],
    create: async (model, { run = '', sandbox, prices, endpoints }) => {
      const { createCliAgent } = await import('./cli/cli-agent.ts')
      return createCliAgent(kind, model, { run, sandbox, prices, settings: endpoints?.[name] })
    },
  }
}

/**
 * Makes the agents that roles name, one for each name. Throws `UserError` with everything that is wrong with the names,
 * each with the role that it stands for.
 */
export async function createAgents(
  namesByRole: Readonly<Record<string, string>>,
  environment: AgentEnvironment,
): Promise<ReadonlyMap<string, Agent>> {
  const agents = new Map<string, Agent>()
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const [role, name] of Object.entries(namesByRole)) {
    if (seen.has(name)) continue
    seen.add(name)
    try {
      agents.set(name, await create(name, environment))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const suffix = role === '*' ? '' : ` (role ${role})`
      problems.push(...error.problems.map((problem) => ({ ...problem, where: `${problem.where}${suffix}` })))
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  return agents
}

/** An agent of its own name is made as the one that it names, with what is set of it. */
async function create(name: string, environment: AgentEnvironment): Promise<Agent> {
  const setting = environment.settings?.[name]
  if (!setting) return createPlain(name, environment)
  const plain = withoutLabel(name)
  const [kind] = split(plain)
  const { settings = [] } = providers.find((one) => one.name === kind) ?? {}
  const foreign = Object.keys(setting).filter((field) => !settings.some((known) => known === field))
  if (foreign.length > 0) {
    const fix = settings.length > 0 ? `It takes ${settings.join(', ')}.` : 'It takes no settings.'
    throw new UserError({ where: `agent ${name}`, what: `"${kind}" takes no ${foreign.join(', no ')}`, fix })
  }
  const { maxOutput, ...endpoint } = setting
  const { prices, endpoints } = environment
  const own = prices?.prices[name]
  const agent = await createPlain(plain, {
    ...environment,
    endpoints: { ...endpoints, [kind]: { ...endpoints?.[kind], ...endpoint } },
    prices: own ? { prices: { ...prices?.prices, [plain]: own } } : prices,
  })
  const ask: Agent['ask'] = (request, signal) =>
    agent.ask({ ...request, maxOutput: request.maxOutput ?? maxOutput }, signal)
  return { ...agent, name, ...(maxOutput !== undefined && { ask }) }
}

/** `anthropic:MODEL` of `LABEL=anthropic:MODEL`. */
export function withoutLabel(name: string): string {
  return name.replace(/^[^:=]*=/, '')
}

function createPlain(name: string, environment: AgentEnvironment): Agent | Promise<Agent> {
  const [kind, model] = split(name)
  const provider = providers.find((one) => one.name === kind)
  if (!provider) {
    const known = providers.map(nameOf)
    const near = closest(
      kind,
      providers.map((one) => one.name),
    )
    const fix = `Did you mean "${near}"? Known: ${known.join(', ')}.`
    throw new UserError({ where: `agent ${name}`, what: `there is no provider "${kind}"`, fix })
  }
  if (provider.model && !provider.model.startsWith('[') && !model) {
    throw new UserError({
      where: `agent ${name}`,
      what: 'something is missing',
      fix: `Write ${kind}:${provider.model}.`,
    })
  }
  if (!provider.model && model !== undefined) {
    throw new UserError({
      where: `agent ${name}`,
      what: `"${kind}" takes nothing after it`,
      fix: `Write ${kind}.`,
    })
  }
  return provider.create(model ?? '', environment)
}

/** How a provider's agents are named: `oracle`, `anthropic:MODEL`, `ollama[:MODEL]`. */
export function nameOf({ name, model }: Provider): string {
  if (model === undefined) return name
  return model.startsWith('[') ? `${name}[:${model.slice(1)}` : `${name}:${model}`
}

function split(name: string): [string, string | undefined] {
  const colon = name.indexOf(':')
  return colon < 0 ? [name, undefined] : [name.slice(0, colon), name.slice(colon + 1)]
}
