import { type Problem, UserError } from '../text/errors.ts'
import { findKeyIn } from '../text/hide-keys.ts'
import { didYouMean } from '../text/near-word.ts'
import type { Agent } from './agent.ts'
import { withoutLabel } from './agent.ts'
import { cliKinds } from './cli/kinds.ts'
import type { EndpointSettings } from './http/endpoint.ts'
import { families } from './http/families.ts'
import { mergeSettings } from './http/find-key.ts'
import { modelSettingOf, settingValueProblems } from './model-settings.ts'
import { findPrice } from './price-book.ts'
import type { AgentEnvironment, Provider } from './provider.ts'
import { noOp, oracle, scripted, simulated } from './providers/built-in.ts'
import { acp, cli, cliProvider, httpProvider, ollama } from './providers/models.ts'
import { recorded } from './providers/recorded.ts'

/** All providers, in the order in which they are listed. */
export const providers: readonly Provider[] = [
  simulated,
  oracle,
  noOp,
  scripted,
  recorded,
  ...families.map(httpProvider),
  ollama,
  ...cliKinds.map(cliProvider),
  cli,
  acp,
]

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
      // A set without a label has the name of its agent.
      const suffix = role === '*' || role === `* of ${name}` ? '' : ` (role ${role})`
      problems.push(...error.problems.map((problem) => ({ ...problem, where: `${problem.where}${suffix}` })))
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  return agents
}

async function create(name: string, environment: AgentEnvironment): Promise<Agent> {
  const given = environment.settings?.[name]
  const { window: _, family: __, ...setting } = given ?? {}
  const plain = withoutLabel(name)
  if (!given || (plain === name && Object.keys(setting).length === 0)) return createPlain(name, environment)
  const [kind] = splitName(plain)
  const { settings = [], range = {} } = providers.find((one) => one.name === kind) ?? {}
  const unknown = Object.keys(setting).filter((field) => !settings.some((known) => known === field))
  if (unknown.length > 0) {
    const fix =
      settings.length > 0
        ? `Its settings are ${settings.join(', ')}.`
        : `"${kind}" takes no settings; remove them.`
    throw new UserError({
      where: `agent ${name}`,
      what: `"${kind}" does not take ${unknown.join(' or ')}`,
      fix,
    })
  }
  const wrong = settingValueProblems(kind, range, setting)
  if (wrong.length > 0)
    throw new UserError(
      wrong.map(({ field, ...problem }) => ({ where: `agent ${name}, ${field}`, ...problem })),
    )
  const { maxOutput, structured, program, baseUrl, keyVariable } = setting
  const endpoint = {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyVariable !== undefined && { keyVariable }),
  }
  const modelSetting = modelSettingOf(setting)
  const { prices, endpoints } = environment
  const vendor = [...families, ...cliKinds].find((one) => one.name === kind)
  const ownPrice = findPrice(prices?.prices, name)
  const agent = await createPlain(plain, {
    ...environment,
    program,
    asked: modelSetting && { name, setting: modelSetting, isNative: structured === 'native' },
    endpoints: {
      ...endpoints,
      [kind]: mergeSettings<EndpointSettings>(endpoints?.[kind] ?? {}, endpoint, vendor?.baseUrl),
    },
    prices: ownPrice && { prices: { [plain]: ownPrice } },
  })
  const ask: Agent['ask'] = (request, signal) =>
    agent.ask({ ...request, maxOutput: request.maxOutput ?? maxOutput, structured }, signal)
  return { ...agent, name, ...((maxOutput ?? structured) !== undefined && { ask }) }
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
  const [, role, agent] = /^([\w*-]+)=(.+)$/s.exec(name) ?? []
  if (!provider && role !== undefined)
    return {
      what: `"${role}" is not a role of these methods`,
      fix: `${nearAgent(agent as string) ?? `Write ${agent} alone.`} Or put one of their roles before the =; bench methods METHOD lists them.`,
    }
  if (!provider) {
    const near =
      nearAgent(name) ??
      didYouMean(
        kind,
        providers.map((one) => one.name),
        '"',
      )
    const fix = `${near ? `${near} ` : ''}Known: ${providers.map(agentSyntax).join(', ')}.`
    return { what: `there is no provider "${kind}"`, fix }
  }
  if (provider.model && !provider.model.startsWith('[') && !model)
    return { what: `"${kind}" needs ${provider.model} after it`, fix: `Write ${kind}:${provider.model}.` }
  if (!provider.model && model !== undefined)
    return { what: `"${kind}" does not take a model`, fix: `Write ${kind}.` }
  // A command has a check of its own, which reads it as words.
  const key = provider.namesProgram ? undefined : findKeyIn(model ?? '')
  if (key !== undefined)
    return {
      what: `has ${key} in its name, which every report would show`,
      fix: 'Leave it out: keys are read from environment variables.',
    }
  return undefined
}

/** How the names of models begin, and who has them: people name a model without its provider. */
const modelsOf: Readonly<Record<string, RegExp>> = {
  openai: /^(?:chat)?gpt-?\d|^o\d/i,
  anthropic: /^claude-/i,
  google: /^gemini-/i,
  ollama: /^(?:llama|mistral|mixtral|qwen|gemma|phi|deepseek|gpt-oss)[-\d:.]/i,
}
/** Agent programs have the names of their vendors' models, too. */
const programsOf: Readonly<Record<string, string>> = {
  claude: 'claude-cli:MODEL or anthropic:MODEL',
  'claude-code': 'claude-cli:MODEL',
  codex: 'codex-cli:MODEL',
  gemini: 'gemini-cli:MODEL or google:MODEL',
  opencode: 'opencode-cli:MODEL',
  qwen: 'qwen-cli:MODEL',
}

/** Returns `Did you mean openai:gpt-4o?` for a model without its provider, or behind a slash; undefined where neither is meant. */
export function nearAgent(named: string): string | undefined {
  const name = withoutLabel(named)
  // A command after the colon may end in any word.
  if (providers.some((one) => one.name === splitName(name)[0])) return undefined
  const [before = '', ...model] = name.split('/')
  const isSlash = model.length > 0 && providers.some((one) => one.name === before)
  const [provider] = Object.entries(modelsOf).findLast(([, begins]) => begins.test(name)) ?? []
  const program = Object.hasOwn(programsOf, name.toLowerCase()) ? programsOf[name.toLowerCase()] : undefined
  if (/(?:^|[\s-])acp$|\s-\S*acp\b/i.test(name)) return `Did you mean acp:${name}?`
  const meant = isSlash ? `${before}:${model.join('/')}` : provider ? `${provider}:${name}` : program
  return meant && `Did you mean ${named.slice(0, named.length - name.length)}${meant}?`
}

/** Returns what a call of an agent reaches, by its name with or without a label; undefined if the provider is unknown. */
export function agentReach(name: string): Provider['reaches'] | undefined {
  const [kind] = splitName(withoutLabel(name))
  return providers.find((one) => one.name === kind)?.reaches
}

/** Returns how an agent uses tools, by its name with or without a label; undefined if it uses none. */
export function agentTools(name: string): Provider['tools'] {
  const [kind] = splitName(withoutLabel(name))
  return providers.find((one) => one.name === kind)?.tools
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
