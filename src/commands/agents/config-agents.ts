import { strategies } from '../../../strategies/index.ts'
import { withoutLabel } from '../../agents/agent.ts'
import { isWebAddress, notWebAddress } from '../../agents/http/address.ts'
import { type SettingProblem, settingValueProblems } from '../../agents/model-settings.ts'
import { programProblems } from '../../agents/providers/models.ts'
import { checkAgentName, providers } from '../../agents/registry.ts'
import { isFile, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { AgentSetting } from '../../schema/agent/agent-settings.ts'
import type { Config, NamedAgent } from '../../schema/run/config.ts'
import { type Problem, problemAt } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { configKeyProblems, keysOfAgent } from '../config/config-keys.ts'

/** Returns the problems of all providers, agents and roles in a config file, also of those that the run does not use. `chosen` is the run's `--methods`. */
export function configAgentProblems({ config, where }: ConfigFile, chosen = ''): Problem[] {
  const problems: Problem[] = []
  const names = providers.map(({ name }) => name)
  const checkProvider = (name: string, at: string) => {
    if (names.includes(name)) return true
    problems.push(unknownName(at, 'provider', name, names, 'bench agents'))
    return false
  }
  const checkName = (name: string, at: string) => {
    const fault = checkAgentName(name)
    if (fault) problems.push({ where: at, ...fault })
  }
  for (const [name, setting] of Object.entries(config.providers ?? {})) {
    if (!checkProvider(name, where('providers', name))) continue
    const settings = settingsOf(name)
    for (const field of Object.keys(setting))
      if (settings.length === 0 || (field !== 'limits' && !settings.some((known) => known === field)))
        problems.push({
          where: where('providers', name, field),
          what: `"${name}" does not have this setting`,
          fix: settings.length === 0 ? 'Leave it out.' : 'See bench help config.',
        })
  }
  for (const [label, agent] of Object.entries(config.agents ?? {})) {
    if (names.includes(label))
      problems.push(
        problemAt(where('agents', label), 'is the name of a provider', 'Choose another name for the agent.'),
      )
    if (typeof agent === 'string') {
      checkName(agent, where('agents', label))
      continue
    }
    if (checkProvider(agent.provider, where('agents', label, 'provider')))
      problems.push(...settingProblems(agent, (...path) => where('agents', label, ...path)))
    if (hasWrongAddress(agent)) problems.push({ where: where('agents', label, 'baseUrl'), ...notWebAddress })
    problems.push(...programProblems(agent, (...field) => where('agents', label, ...field)))
  }
  problems.push(...windowProblems({ config, where }))
  for (const { name, path } of agentsOfRoles(config)) checkName(name, where(...path))
  const told = new Set(problems.map((problem) => problem.where))
  problems.push(...configKeyProblems({ config, where }).filter((problem) => !told.has(problem.where)))
  const roles = new Set(strategies.flatMap(({ roles }) => Object.keys(roles)))
  const entries = Object.entries(config.methods ?? {}).map(([entry, { strategy = entry }]) => strategy)
  const own = [...splitMethods(chosen), ...entries].some(hasRolesOfItsOwn)
  for (const role of own ? [] : Object.keys(config.roles ?? {}))
    if (!roles.has(role))
      problems.push(unknownName(where('roles', role), 'role', role, [...roles], 'bench methods'))
  return problems
}

const hasWrongAddress = ({ baseUrl }: NamedAgent) => baseUrl !== undefined && !isWebAddress(baseUrl)

function settingProblems(agent: NamedAgent, where: (...path: string[]) => string): Problem[] {
  const { provider } = agent
  const known = settingsOf(provider)
  const fix =
    known.length > 0
      ? `Leave it out. The settings of "${provider}" are ${known.join(', ')}.`
      : 'Leave it out.'
  const what = (field: string) => `"${provider}" does not take ${field}`
  const unknown = unknownSettings(agent).map((field) => ({ where: where(field), what: what(field), fix }))
  const wrong = wrongValues(agent).map(({ field, ...problem }) => ({
    where: where(...field.split('.')),
    ...problem,
  }))
  return [...unknown, ...wrong]
}

function wrongValues(agent: NamedAgent): SettingProblem[] {
  const { name, range = {} } = providers.find(({ name }) => name === agent.provider) ?? {}
  if (name === undefined) return []
  const unknown = unknownSettings(agent)
  return settingValueProblems(name, range, agent).filter(
    ({ field }) => !unknown.includes(field.split('.')[0] ?? ''),
  )
}

function unknownSettings({
  provider,
  model: _m,
  prices: _p,
  window: _w,
  family: _f,
  ...settings
}: NamedAgent): string[] {
  const known = settingsOf(provider)
  return Object.keys(settings).filter((field) => !known.some((one) => one === field))
}

const settingsOf = (provider: string) => providers.find(({ name }) => name === provider)?.settings ?? []

/** Whether a method's roles are known only once its file or its document has been read. */
function hasRolesOfItsOwn(text: string): boolean {
  const { name = '' } = readMethodText(text) ?? {}
  if (isFile(name)) return true
  return strategies.some(
    (one) => one.document !== undefined && [one.name, ...(one.aliases ?? [])].includes(name),
  )
}

/** Returns the agents that the file assigns to roles as `provider:model`. Names from its `agents` section are looked up later. */
function agentsOfRoles({
  agents = {},
  roles = {},
  methods = {},
}: Config): { name: string; path: string[] }[] {
  const given = [
    { path: ['roles'], roles },
    ...Object.entries(methods).map(([method, { roles = {} }]) => ({
      path: ['methods', method, 'roles'],
      roles,
    })),
  ]
  return given.flatMap(({ path, roles }) =>
    Object.entries(roles)
      .filter(([, name]) => name.includes(':') && !Object.hasOwn(agents, name))
      .map(([role, name]) => ({ name, path: [...path, role] })),
  )
}

/**
 * Returns the names by role without the invalid ones of the config file, which `configAgentProblems` reports with their line, and
 * without those of documents, which have been reported.
 */
export function dropInvalidNames(
  names: Readonly<Record<string, string>>,
  file: ConfigFile | undefined,
  ofDocuments: readonly string[],
): Record<string, string> {
  const config = file?.config ?? {}
  const own = [
    ...Object.entries(config.agents ?? {}).map(([label, agent]) => recordedName(label, agent)),
    ...agentsOfRoles(config).map(({ name }) => name),
  ]
  // One with a key is not made, since it would be asked who it is.
  const hasKey = (label: string) => file !== undefined && keysOfAgent(file, label).length > 0
  const misset = Object.entries(config.agents ?? {}).flatMap(([label, agent]) =>
    !hasKey(label) &&
    (typeof agent === 'string' ||
      unknownSettings(agent).length + wrongValues(agent).length + Number(hasWrongAddress(agent)) === 0)
      ? []
      : [recordedName(label, agent)],
  )
  const misnamed = own.filter((name) => checkAgentName(withoutLabel(name)))
  const invalid = new Set([...misnamed, ...misset, ...ofDocuments])
  return Object.fromEntries(Object.entries(names).filter(([, name]) => !invalid.has(name)))
}

function windowProblems({ config, where }: Pick<ConfigFile, 'config' | 'where'>): Problem[] {
  const problems: Problem[] = []
  const seen = new Map<string, { label: string } & Pick<NamedAgent, 'window' | 'family'>>()
  for (const [label, agent] of Object.entries(config.agents ?? {})) {
    if (typeof agent === 'string') continue
    const { window, family, program } = agent
    if (window !== undefined && program?.window !== undefined && program.window !== window)
      problems.push({
        where: where('agents', label, 'window'),
        what: `is ${window}, but its program.window is ${program.window}`,
        fix: 'Remove one of the two, or give both the same number.',
      })
    const name = recordedName(label, agent)
    const other = seen.get(name)
    if (other && window !== undefined && other.window !== undefined && other.window !== window)
      problems.push({
        where: where('agents', label, 'window'),
        what: `is ${window}, but "${other.label}" is the same agent, ${name}, with ${other.window}`,
        fix: 'Give both the same window.',
      })
    if (other && family !== undefined && other.family !== undefined && other.family !== family)
      problems.push({
        where: where('agents', label, 'family'),
        what: `is ${family}, but "${other.label}" is the same agent, ${name}, of ${other.family}`,
        fix: 'Give both the same family.',
      })
    seen.set(name, { label, window: window ?? other?.window, family: family ?? other?.family })
  }
  return problems
}

export type AgentEntry = NonNullable<Config['agents']>[string]

/** Returns `PROVIDER:MODEL`, or `LABEL=PROVIDER:MODEL` if the agent has further settings. Window and family change no call, so they need no label. */
export function recordedName(label: string, agent: AgentEntry): string {
  if (typeof agent === 'string') return agent
  const { provider, model, window: _, family: __, ...more } = agent
  const plain = model === undefined ? provider : `${provider}:${model}`
  return Object.keys(more).length > 0 ? `${label}=${plain}` : plain
}

/** Returns the settings of an entry, without its provider, model and prices. */
export function entrySetting(agent: Exclude<AgentEntry, string>): AgentSetting {
  const { provider: _, model: __, prices: ___, ...setting } = agent
  return setting
}
