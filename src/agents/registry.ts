import { type Problem, UserError } from '../text/errors.ts'
import { didYouMean } from '../text/near-word.ts'
import type { Agent } from './agent.ts'
import { withoutLabel } from './agent.ts'
import type { CliKind } from './cli/kinds/kind.ts'
import { cliKinds } from './cli/kinds/kinds.ts'
import { createNoOp, createOracle } from './controls.ts'
import type { EndpointSettings } from './http/endpoint.ts'
import { families } from './http/families.ts'
import type { Family } from './http/family.ts'
import { mergeSettings } from './http/find-key.ts'
import type { AgentEnvironment, Provider } from './provider.ts'
import { loadScripted } from './scripted.ts'
import { createSimulated } from './simulated/simulated.ts'

/** All providers, in the order in which they are listed. */
export const providers: readonly Provider[] = [
  {
    name: 'simulated',
    reaches: 'nothing',
    summary:
      'Answers from a seeded behaviour profile: no model, no network, no cost; files and grading are real.',
    create: (_, { profile, ...environment }) => {
      if (profile) return createSimulated({ profile, ...environment })
      const fix = 'Run in dev mode or name a profile.'
      throw new UserError({ where: 'agent simulated', what: 'needs a behaviour profile', fix })
    },
  },
  {
    name: 'oracle',
    reaches: 'nothing',
    summary: 'Submits the reference solution and approves everything; it must pass every task.',
    create: (_, { tasks }) => createOracle(tasks),
  },
  {
    name: 'no-op',
    reaches: 'nothing',
    summary: 'Submits nothing and approves nothing; it must fail every task.',
    create: () => createNoOp(),
  },
  {
    name: 'scripted',
    reaches: 'module',
    summary: 'Replies from a module of yours: a function of the request or a list of replies.',
    model: 'PATH',
    create: (path, { cwd }) => loadScripted(path, cwd),
  },
  ...families.map(httpProvider),
  {
    name: 'ollama',
    reaches: 'model',
    summary:
      'A local model of Ollama; without a name, models that fit the graphics memory, one for each kind of work.',
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
  ...cliKinds.map(cliProvider),
  {
    name: 'cli',
    reaches: 'program',
    summary: 'Any other agent CLI; the config file gives its command and the paths in its JSON output.',
    model: '[MODEL]',
    settings: ['program', 'baseUrl', 'keyVariable'],
    needsProgram: true,
    create: async (model, { run = '', sandbox, prices, endpoints, program }) => {
      if (!program) throw new UserError(missingProgramProblem('agent cli'))
      const [{ createCliAgent }, { configuredCli }] = await Promise.all([
        import('./cli/cli-agent.ts'),
        import('./cli/kinds/configured.ts'),
      ])
      const settings = endpoints?.cli
      return createCliAgent(configuredCli(program), model, { run, sandbox, prices, settings })
    },
  },
]

/** The problem of a `cli` agent without a program. */
export const missingProgramProblem = (where: string): Problem => ({
  where,
  what: 'has no program',
  fix: 'Set agents.NAME.program in bench.config.yaml; see docs/guides/providers.md.',
})

/** Makes a provider of a family of models over HTTP. Loads its code with the first agent and the vendor's library later. */
function httpProvider(family: Family): Provider {
  const { name, summary } = family
  return {
    name,
    reaches: 'model',
    summary,
    model: 'MODEL',
    settings: ['baseUrl', 'keyVariable', 'maxOutput'],
    create: async (model, { run = '', prices, endpoints }) => {
      const { createHttpAgent } = await import('./http/http-agent.ts')
      return createHttpAgent(family, model, { run, prices, settings: endpoints?.[name] })
    },
  }
}

/** Makes a provider of an agent CLI. Loads its code with the first agent. */
function cliProvider(kind: CliKind): Provider {
  const { name, summary } = kind
  return {
    name,
    reaches: 'program',
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
 * Creates the agents that roles name, one for each name. Throws one `UserError` with all wrong names, each with its role.
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

/** Creates an agent. One with settings is created from its plain name, with its settings over those of its provider. */
async function create(name: string, environment: AgentEnvironment): Promise<Agent> {
  const setting = environment.settings?.[name]
  if (!setting) return createPlain(name, environment)
  const plain = withoutLabel(name)
  const [kind] = splitName(plain)
  const { settings = [] } = providers.find((one) => one.name === kind) ?? {}
  const unknown = Object.keys(setting).filter((field) => !settings.some((known) => known === field))
  if (unknown.length > 0) {
    const fix = settings.length > 0 ? `It takes ${settings.join(', ')}.` : 'It takes no settings.'
    throw new UserError({
      where: `agent ${name}`,
      what: `"${kind}" does not take ${unknown.join(' or ')}`,
      fix,
    })
  }
  const { maxOutput, program, ...endpoint } = setting
  const { prices, endpoints } = environment
  const own = [...families, ...cliKinds].find((vendor) => vendor.name === kind)
  const ownPrices = prices?.prices[name]
  const agent = await createPlain(plain, {
    ...environment,
    program,
    endpoints: {
      ...endpoints,
      [kind]: mergeSettings<EndpointSettings>(endpoints?.[kind] ?? {}, endpoint, own?.baseUrl),
    },
    prices: ownPrices ? { prices: { ...prices?.prices, [plain]: ownPrices } } : prices,
  })
  const ask: Agent['ask'] = (request, signal) =>
    agent.ask({ ...request, maxOutput: request.maxOutput ?? maxOutput }, signal)
  return { ...agent, name, ...(maxOutput !== undefined && { ask }) }
}

function createPlain(name: string, environment: AgentEnvironment): Agent | Promise<Agent> {
  const [kind, model] = splitName(name)
  const provider = providers.find((one) => one.name === kind)
  const problem = checkAgentName(name)
  if (problem || !provider)
    throw new UserError({ where: `agent ${name}`, what: 'is not an agent', ...problem })
  return provider.create(model ?? '', environment)
}

/** Checks the form of `provider:model`. Returns the problem, or undefined if the name can be an agent. */
export function checkAgentName(name: string): Omit<Problem, 'where'> | undefined {
  const [kind, model] = splitName(name)
  const provider = providers.find((one) => one.name === kind)
  if (!provider) {
    const known = providers.map(agentSyntax)
    const names = providers.map((one) => one.name)
    const near = didYouMean(kind, names, '"')
    const fix = `${near ? `${near} ` : ''}Known: ${known.join(', ')}.`
    return { what: `there is no provider "${kind}"`, fix }
  }
  if (provider.model && !provider.model.startsWith('[') && !model)
    return { what: `"${kind}" needs ${provider.model} after it`, fix: `Write ${kind}:${provider.model}.` }
  if (!provider.model && model !== undefined)
    return { what: `"${kind}" takes nothing after it`, fix: `Write ${kind}.` }
  return undefined
}

/** Returns what a call of an agent reaches, by its name with or without a label; undefined if the provider is unknown. */
export function agentReach(name: string): Provider['reaches'] | undefined {
  const [kind] = splitName(withoutLabel(name))
  return providers.find((one) => one.name === kind)?.reaches
}

/** Returns the form of a provider's agent names: `oracle`, `anthropic:MODEL`, `ollama[:MODEL]`. */
export function agentSyntax({ name, model }: Provider): string {
  if (model === undefined) return name
  return model.startsWith('[') ? `${name}[:${model.slice(1)}` : `${name}:${model}`
}

function splitName(name: string): [string, string | undefined] {
  const colon = name.indexOf(':')
  return colon < 0 ? [name, undefined] : [name.slice(0, colon), name.slice(colon + 1)]
}
