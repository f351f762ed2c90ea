import { withoutLabel } from '../../agents/agent.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { roleNames } from '../../loop/plan/row-agents.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { DocumentAgent } from '../../schema/agent/document-agent.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { hasFixedRoles } from '../methods/config-methods.ts'
import { entrySetting, recordedName } from './config-agents.ts'
import { documentAgents } from './document-agents.ts'

interface Sources {
  strategies: readonly KnownStrategy[]
  config: ConfigFile | undefined
  /** Whether agents of the config file and of documents answer: in live mode, unless `--agents` was typed. */
  usesFile: boolean
  /** Agents of the command line, by role. */
  typed: Readonly<Record<string, string>>
  entryOf(label: string): string | undefined
  /** Returns the name of an agent in records. */
  name(where: string, text: string): string
}

/** Methods with the agents that only they ask. */
interface MethodAgents {
  methods: Method[]
  settings: AgentSettings
  /** Names in documents that cannot be agents, which have been reported. */
  invalid: string[]
}

/**
 * Gives each method its roles and the agents that its entry in the config file, or else its document, names for them. The command
 * line's `--agent ROLE=` wins. Adds every problem.
 */
export function agentsOfMethods(
  methods: readonly Method[],
  sources: Sources,
  problems: Problem[],
): MethodAgents {
  const named = new Map<string, DocumentAgent>()
  const invalid: string[] = []
  const all = methods.map((method) => {
    const roles = roleNames(method, sources.strategies)
    const { strategies, config, usesFile, typed } = sources
    const document = documentAgents(method, strategies, config?.config, problems)
    invalid.push(...document.invalid)
    const names = entryAgents(method, roles, sources, problems)
    for (const [role, agent] of Object.entries(usesFile ? document.agents : {})) {
      if (Object.hasOwn(typed, role) || Object.hasOwn(names, role)) continue
      const isWrong = document.invalid.includes(agent.name)
      names[role] = isWrong ? agent.name : sources.name(agent.where, agent.name)
      const clash = settingsClash(agent, named.get(agent.name) ?? entryAgent(agent.name, config))
      if (clash) problems.push(clash)
      if (withoutLabel(agent.name) !== agent.name) named.set(agent.name, agent)
    }
    const found = strategies.find(({ strategy }) => strategy.name === method.strategy)?.strategy
    const { mixes, mechanisms } = found ?? {}
    return {
      ...method,
      roles,
      ...(mixes && { mixes }),
      ...(mechanisms && {
        mechanisms: [...(typeof mechanisms === 'function' ? mechanisms(method.options) : mechanisms)],
      }),
      ...(Object.keys(names).length > 0 && { agents: names }),
    }
  })
  const settings = Object.fromEntries([...named].map(([name, { settings = {} }]) => [name, settings]))
  return { methods: all, settings, invalid }
}

function entryAgents(
  { label, strategy, file }: Method,
  roles: readonly string[],
  { strategies, config, entryOf, usesFile, typed, name }: Sources,
  problems: Problem[],
): Record<string, string> {
  const entry = entryOf(label)
  if (!config || entry === undefined) return {}
  const names: Record<string, string> = {}
  const known = strategies.find((one) => one.strategy.name === strategy)
  // The config file's own check knows the roles of built-in methods, but not what options make of them.
  const isReported = (role: string) =>
    file === undefined && known && hasFixedRoles(known) && !Object.hasOwn(known.strategy.roles, role)
  for (const [role, text] of Object.entries(config.config.methods?.[entry]?.roles ?? {})) {
    if (isReported(role)) continue
    const where = config.where('methods', entry, 'roles', role)
    if (!roles.includes(role))
      problems.push(unknownName(where, 'role', role, roles, `bench methods ${strategy}`))
    else if (usesFile && (role === '*' || !Object.hasOwn(typed, role))) names[role] = name(where, text)
  }
  return names
}

type Named = Pick<DocumentAgent, 'where' | 'settings'>

function entryAgent(name: string, config: ConfigFile | undefined): Named | undefined {
  const [label, agent] =
    Object.entries(config?.config.agents ?? {}).find(([label, one]) => recordedName(label, one) === name) ??
    []
  if (!config || label === undefined || typeof agent !== 'object') return undefined
  const { window: _, family: __, ...settings } = entrySetting(agent)
  return { where: config.where('agents', label), settings }
}

/** Returns a problem if two places give an agent with a label different settings: records could not tell the two apart. */
function settingsClash(agent: DocumentAgent, other: Named | undefined): Problem | undefined {
  if (withoutLabel(agent.name) === agent.name || !other) return undefined
  if (canonicalJson(agent.settings ?? {}) === canonicalJson(other.settings ?? {})) return undefined
  return {
    where: agent.where,
    what: `gives the agent ${agent.name} other settings than ${other.where}`,
    fix: 'Give one of the two another label, or both the same settings.',
  }
}
