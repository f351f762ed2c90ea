import type { Agent } from '../../agents/agent.ts'
import { loadContextWindows } from '../../agents/context-window.ts'
import { pricesOfAgents } from '../../agents/price-book.ts'
import type { Provider } from '../../agents/provider.ts'
import { agentSyntax, providers } from '../../agents/registry.ts'
import { loadProfile } from '../../agents/simulated/load-profile.ts'
import { missingPeer } from '../../base/load-package.ts'
import { type LazySandbox, lazySandbox } from '../../sandbox/open-sandbox.ts'
import type { AgentSetting, AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { Config } from '../../schema/run/config.ts'
import { agentLabels, configPrices, userPrices } from '../agents/agent-prices.ts'
import { entrySetting, recordedName } from '../agents/config-agents.ts'
import { agentsOfDocuments } from '../agents/document-agents.ts'
import { silentServers } from '../agents/live-manifest.ts'
import { makeAgents } from '../agents/make-agents.ts'
import type { SelectedMethods } from '../methods/select-methods.ts'
import { foreignConfig, foreignDocument, untrusted } from '../trust/require-trust.ts'
import type { Finding } from './doctor-sandbox.ts'
import { findUnlessWrong, readSoundConfig, wrongAgent } from './sound-config.ts'

/**
 * Checks each provider of real models, and each agent of the config file and of its methods' documents: whether it can be asked,
 * and what is missing. No key is shown. What a config file or a document of somebody else names is neither loaded, started nor
 * reached, unless `--trust-code` says so.
 */
export async function agentFindings(trusted: boolean): Promise<Finding[]> {
  // One that has a key is not even asked who it is: what it prints could show the key.
  const { file: found, wrong = [] } = readSoundConfig() ?? {}
  const isForeign = !trusted && found !== undefined && untrusted([foreignConfig(found)]).length > 0
  const file = isForeign ? undefined : found
  const config = file?.config ?? {}
  const isTrusted = (label: string, { methods, strategies, textsOf }: SelectedMethods) => {
    const method = methods.find((one) => one.label === label)
    const document = method && foreignDocument(method, strategies, textsOf(label))
    return trusted || !document || untrusted([document]).length === 0
  }
  const ofDocuments = file ? await agentsOfDocuments(file, undefined, isTrusted) : []
  const settings = Object.fromEntries(ofDocuments.map(({ name, settings = {} }) => [name, settings]))
  // What is missing does not depend on the model.
  const plain = providers
    .filter(({ settings, needsProgram, namesProgram }) => settings && !needsProgram && !namesProgram)
    .map((provider) => [
      agentSyntax(provider),
      provider.model === 'MODEL' ? `${provider.name}:any` : provider.name,
    ])
  const named = Object.entries(config.agents ?? {}).map(([label, agent]) => [
    label,
    recordedName(label, agent),
  ])
  const others = ofDocuments.filter(({ name }) => named.every(([, own]) => own !== name))
  const findWindow = await loadContextWindows()
  const check = async ([shown = '', name = '']: string[]): Promise<Finding> => {
    const window = findWindow({ agent: name, setting: entrySettingOf(name, config) ?? settings[name] })
    const facts = [`context window ${window?.tokens ?? 'unknown'}`]
    return findUnlessWrong(shown, () => checkAgent(shown, name, config, settings, facts))
  }
  // The providers' own lines name no model, so they have no window.
  const ofModels = [...named, ...others.map(({ name }) => [name, name])]
  return Promise.all([
    ...plain.map(([shown = '', name = '']) => checkAgent(shown, name, config, settings)),
    ...providers.filter(({ namesProgram }) => namesProgram).map(ofProtocol),
    ...ofModels.map(check),
    ...wrong.map(({ label, problem }) => wrongAgent(label, problem)),
    ...(isForeign ? [notChecked(found.file)] : []),
  ])
}

/** Says of agents that are named by their command whether bench can speak with them. */
async function ofProtocol(provider: Provider): Promise<Finding> {
  const { acpPackage } = await import('../../agents/acp/talk.ts')
  const missing = missingPeer(acpPackage)
  const { summary } = provider
  return {
    name: `agent ${agentSyntax(provider)}`,
    ok: !missing,
    state: missing ? `${summary} It ${missing.what}` : summary,
    ...(missing && { fix: missing.fix }),
  }
}

const notChecked = (path: string): Finding => ({
  name: `agents of ${path}`,
  ok: false,
  state: 'not checked, since you have not allowed what the file takes',
  fix: `Read it (bench check ${path} lists what it takes), then add --trust-code.`,
})

async function checkAgent(
  shown: string,
  name: string,
  config: Config,
  settings: AgentSettings,
  facts: readonly string[] = [],
): Promise<Finding> {
  const agent = await agentOf(name, config, { settings })
  const own = (await agent.missing?.()) ?? []
  // An agent that is not set up sends nothing.
  const missing = own.length > 0 ? own : await silentServers([agent], [])
  // A missing program has no version.
  const version = missing.some(({ what }) => what.startsWith('the program'))
    ? undefined
    : await agent.version?.()
  const parts = [agent.account?.name ?? agent.name, ...(version ? [`version ${version}`] : []), ...facts]
  return {
    name: `agent ${shown}`,
    ok: missing.length === 0,
    state: [...parts, ...missing.map(({ what }) => what)].join('; '),
    ...(missing.length > 0 && { fix: missing.map(({ fix = '' }) => fix).join(' ') }),
  }
}

function entrySettingOf(name: string, config: Config): AgentSetting | undefined {
  const entries = Object.entries(config.agents ?? {})
  const [, entry] = entries.find(([label, one]) => recordedName(label, one) === name) ?? []
  return typeof entry === 'object' ? entrySetting(entry) : undefined
}

/** Creates an agent of the config file, or one without settings of its own. */
export async function agentOf(
  name: string,
  config: Config,
  parts: { sandbox?: LazySandbox; settings?: AgentSettings; prices?: string | undefined },
): Promise<Agent> {
  const settings = { ...parts.settings }
  const own = entrySettingOf(name, config)
  if (own && name.includes('=')) settings[name] = own
  const agents = await makeAgents(
    { '*': name },
    {
      tasks: [],
      profile: loadProfile('default'),
      cwd: process.cwd(),
      run: 'doctor',
      prices: pricesOf(name, config, parts.prices),
      settings,
      endpoints: config.providers,
      sandbox: parts.sandbox ?? lazySandbox('auto'),
      signal: new AbortController().signal,
      onWarning: () => {},
    },
  )
  return agents.get(name) as Agent
}

/** Returns the user's own prices of an agent: those of a file, else of the config file. */
export const pricesOf = (name: string, config: Config, path: string | undefined) =>
  pricesOfAgents(userPrices(path, configPrices(config)), [name], agentLabels(config))
