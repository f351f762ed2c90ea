import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent, AgentReply, AgentRequest } from '../../agents/agent.ts'
import { loadContextWindows } from '../../agents/context-window.ts'
import { pricesOfAgents } from '../../agents/price-book.ts'
import { agentSyntax, providers } from '../../agents/registry.ts'
import { loadProfile } from '../../agents/simulated/load-profile.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { type LazySandbox, lazySandbox } from '../../sandbox/open-sandbox.ts'
import type { AgentSetting, AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { Config } from '../../schema/run/config.ts'
import { UserError } from '../../text/errors.ts'
import { createRedactor, secretsOf } from '../../text/redact.ts'
import { agentLabels, configPrices, priceFileProblems, userPrices } from '../agents/agent-prices.ts'
import { entrySetting, recordedName } from '../agents/config-agents.ts'
import { agentsOfDocuments } from '../agents/document-agents.ts'
import { knownBill } from '../agents/known-bill.ts'
import { missingRequirements, silentServers } from '../agents/live-manifest.ts'
import { makeAgents } from '../agents/make-agents.ts'
import { findConfig, readConfig } from '../config/config-file.ts'
import type { RunOptions } from '../config/run-options.ts'
import type { SelectedMethods } from '../methods/select-methods.ts'
import { requireSandbox, selectSandbox } from '../open/sandbox-option.ts'
import { reportNote } from '../terminal/report-error.ts'
import { foreignConfig, foreignDocument, requireTrust, untrusted } from '../trust/require-trust.ts'
import type { Finding } from './doctor-sandbox.ts'

/**
 * Checks each provider of real models, and each agent of the config file and of its methods' documents: whether it can be asked,
 * and what is missing. No key is shown. What a config file or a document of somebody else names is neither loaded, started nor
 * reached, unless `--trust-code` says so.
 */
export async function agentFindings(trusted: boolean): Promise<Finding[]> {
  const path = findConfig()
  const found = path === undefined ? undefined : readConfig(path)
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
    .filter(({ settings, needsProgram }) => settings && !needsProgram)
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
    return checkAgent(shown, name, config, settings, [`context window ${window?.tokens ?? 'unknown'}`])
  }
  // The providers' own lines name no model, so they have no window.
  const ofModels = [...named, ...others.map(({ name }) => [name, name])]
  return Promise.all([
    ...plain.map(([shown = '', name = '']) => checkAgent(shown, name, config, settings)),
    ...ofModels.map(check),
    ...(isForeign ? [notChecked(path ?? '')] : []),
  ])
}

const notChecked = (path: string): Finding => ({
  name: `agents of ${path}`,
  ok: false,
  state: 'not checked, since you have not allowed what the file takes',
  fix: `Read it (bench check ${path} lists what it takes), then add --trust-code.`,
})

/**
 * Asks an agent for one word at the least possible cost; returns false if no reply came. Throws `UserError` if the agent is a
 * program and there is no full sandbox, or if the file of `--prices` has no price of it.
 */
export async function callAgent(
  text: string,
  options: Pick<RunOptions, 'allowUnsandboxed' | 'prices' | 'trustCode'>,
  write: (line: string) => void,
): Promise<boolean> {
  const sandbox = selectSandbox([], options)
  const config = await configHere(options.trustCode === true)
  const named = config.agents?.[text]
  const name = named === undefined ? text : recordedName(text, named)
  const { prices } = options
  const agent = await agentOf(name, config, { sandbox, prices })
  if (prices !== undefined) await checkPrices(prices, agent, config)
  const missing = await missingRequirements([agent])
  if (missing.length > 0) {
    for (const { where, what, fix = '' } of missing) write(`${where}: ${what}. ${fix}`)
    return false
  }
  const { notes } = await requireSandbox(sandbox, { agents: [agent], tasks: [] })
  for (const note of notes) reportNote(note)
  const folders: string[] = []
  // Folders are not nested: the sandbox's user may not enter a private parent folder.
  const folder = () => {
    const created = mkdtempSync(join(tmpdir(), folderPrefix()))
    folders.push(created)
    return created
  }
  try {
    const reply = await agent.ask(requestIn(folder), new AbortController().signal)
    const clean = createRedactor(secretsOf(process.env, []).secrets)
    const line = callLine(agent.name, clean ? { ...reply, text: clean.cut(reply.text) } : reply)
    write(clean ? clean.text(line) : line)
    return !reply.error
  } finally {
    for (const created of folders) removeTree(created)
  }
}

async function configHere(trusted: boolean): Promise<Config> {
  const path = findConfig()
  if (path === undefined) return {}
  const file = readConfig(path)
  await requireTrust([foreignConfig(file)], { trusted, signal: new AbortController().signal })
  return file.config
}

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

async function agentOf(
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

const pricesOf = (name: string, config: Config, path: string | undefined) =>
  pricesOfAgents(userPrices(path, configPrices(config))?.prices, [name], agentLabels(config))

/** Throws `UserError` if a file of prices does not fit the agent. */
async function checkPrices(path: string, agent: Agent, config: Config): Promise<void> {
  const { name } = agent
  const { isPriced } = await knownBill(agent, pricesOf(name, config, path))
  const unpriced = isPriced ? [] : [name]
  const problems = priceFileProblems(path, { agents: [name], labels: agentLabels(config), unpriced })
  if (problems.length > 0) throw new UserError(problems)
}

function requestIn(folder: () => string): AgentRequest {
  return {
    role: 'tester',
    work: 'decide',
    prompt: 'Reply with the one word: ok',
    // The smallest limit that every provider accepts.
    maxOutput: 16,
    timeoutMs: 120_000,
    attempt: 1,
    repair: false,
    trial: {
      id: 'doctor',
      task: 'doctor',
      method: 'doctor',
      strategy: 'doctor',
      epoch: 1,
      seed: 1,
      key: '#0',
      rerun: 0,
    },
    roles: { tester: 'decide' },
    history: [],
    workspace: {
      files: () => ({}),
      peek: async () => ({ status: 'none', passed: 0, total: 0, output: '' }),
      folder: async () => folder(),
      home: folder,
    },
  }
}

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

function callLine(name: string, { text, tokens, costUsd, durationMs, model, error }: AgentReply): string {
  if (error) return `${name}: ${error.reason}: ${error.message}`
  const count = (value: number | null) => (value === null ? 'not reported' : String(value))
  const cost = costUsd === null ? 'price unknown' : `$${costUsd.toFixed(6)}`
  return `${name}${model ? ` (${model})` : ''} replied ${JSON.stringify(shortened(text))} in ${durationMs} ms; tokens in ${count(tokens.input)}, out ${count(tokens.output)}; ${cost}`
}
