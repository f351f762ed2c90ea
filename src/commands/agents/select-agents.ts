import { agentReach, checkAgentName } from '../../agents/registry.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { roleNames } from '../../loop/plan/row-agents.ts'
import { type AgentSet, ofRole } from '../../schema/agent/agent-set.ts'
import type { AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Problem } from '../../text/errors.ts'
import { unknownLabel } from '../config/agent-names.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { parseAgents, splitRoleAgents } from '../config/run-options.ts'
import { workingOptions } from '../methods/working-options.ts'
import { type AgentEntry, entrySetting, recordedName } from './config-agents.ts'
import { agentsOfFile, type NamedAgent } from './dev-agents.ts'
import { agentsOfMethods } from './method-agents.ts'
import { equalJudgeProblems } from './select-judges.ts'
import { wordingSets } from './wordings.ts'

type Names = Record<string, string>

/** The agent of each role, by the name that records use. */
export interface SelectedAgents {
  /** The agents of all methods by role; `*` means all other roles. With several sets, this is the first. */
  agents: Names
  /** The sets of agents when `--agents` names several; each includes the agents that were given to single roles. */
  agentSets: AgentSet[] | undefined
  /** The given methods, with their roles and the agents that the config file gives only to them. */
  methods: Method[]
  settings: AgentSettings
  /** Who judges tasks with a rubric; undefined if no task has one. */
  judges: string[] | undefined
  /** Every agent that this run names, with the place that names it. */
  named: NamedAgent[]
  /** Names that cannot be agents, which have been reported. */
  invalid: readonly string[]
  /** What the config file says of agents and dev mode leaves for live mode, such as `roles.solver: cheap`; none in live mode. */
  leftForLive: readonly string[]
}

/** Selects the agents of the chosen methods from the command line and the config file. Adds every problem to `problems`. */
export function selectAgents(
  given: MergedOptions,
  mode: 'dev' | 'live',
  {
    methods,
    strategies,
    entryOf,
    judges: givenJudges,
  }: {
    /** Judges as they were given. */
    judges?: readonly string[] | undefined
    methods: readonly Method[]
    strategies: readonly KnownStrategy[]
    entryOf(label: string): string | undefined
  },
  problems: Problem[],
): SelectedAgents {
  const { config } = given
  const roles = [...new Set(methods.flatMap((method) => roleNames(method, strategies)))]
  const options = splitRoleAgents(given.options, roles)
  if (options.agents === '')
    problems.push({ where: '--agents', what: 'is empty', fix: 'Write provider:model, or leave it out.' })
  const all = options.agents ?? (mode === 'dev' ? 'simulated' : undefined)
  const setLabels = all === undefined ? [] : splitAgents(all, config?.config.agents ?? {}, problems)
  const typed = parseAgents(problems, setLabels[0], options.agent ?? [], roles)
  // `--agents` on the command line replaces every role of the config file.
  const isOfFile = options.agents === undefined || given.isFromFile('agents')
  const usesFile = mode === 'live' && isOfFile
  const fileRoles = (usesFile && config?.config.roles) || {}
  const named: NamedAgent[] = []
  const unknown: string[] = []
  const name = (where: string, text: string) => {
    const { found, problem } = nameOf(text, config?.config)
    named.push({ where, name: found })
    if (problem) {
      problems.push({ where, ...problem })
      unknown.push(found)
    }
    return found
  }

  const agents: Names = {}
  for (const [role, text] of Object.entries(fileRoles))
    if (roles.includes(role)) agents[role] = name(config?.where('roles', role) ?? '', text)
  for (const [role, text] of Object.entries(typed))
    agents[role] = name(role === '*' ? `--agents ${text}` : `--agent ${role}=${text}`, text)

  const sources = { strategies, entryOf, config, usesFile, typed, name }
  const own = agentsOfMethods(methods, sources, problems)
  const sets = setLabels.map((text, place) => ({
    label: text,
    agents: place === 0 ? agents : { ...agents, '*': name(`--agents ${text}`, text) },
  }))
  if (sets.length > 1) problems.push(...equalSetProblems(sets, own.methods))
  const wordings = wordingSets(given, { agents, hasSets: sets.length > 1 }, problems)
  const agentSets = sets.length > 1 ? sets : wordings
  problems.push(...missingAgentProblems(own.methods, agents, strategies, given.options.extend))
  const judges = givenJudges?.map((text) => name(`--judges ${text}`, text))
  problems.push(...equalJudgeProblems(judges ?? []))
  const inUse = [
    Object.fromEntries((judges ?? []).map((judge) => [judge, judge])),
    agents,
    ...sets.map((set) => set.agents),
    ...own.methods.map((method) => method.agents ?? {}),
  ]
  const used = new Set(inUse.flatMap((names) => Object.values(names)))
  const settings = settingsOf(config?.config.agents ?? {}, used)
  return {
    ...{ agents, agentSets, methods: own.methods, judges, named },
    ...{ settings: withWindows(own.settings, settings), invalid: [...own.invalid, ...unknown] },
    leftForLive: isOfFile && !usesFile ? agentsOfFile(config?.config, own.methods, { entryOf, typed }) : [],
  }
}

function missingAgentProblems(
  methods: readonly Method[],
  agents: Names,
  strategies: readonly KnownStrategy[],
  extend: string | undefined,
): Problem[] {
  const missing = methods.flatMap(({ roles = [], agents: own }) =>
    roles.filter((role) => !ofRole({ ...agents, ...own }, role)),
  )
  const ofRun = 'Start a new run: one that is extended has the agents that it began with.'
  return [...new Set(missing)].map((role) => ({
    where: extend === undefined ? '--mode live' : `--extend ${extend}`,
    what: `role "${role}" has no agent`,
    fix:
      extend !== undefined
        ? ofRun
        : `Add --agent ${role}=PROVIDER:MODEL, or --agents PROVIDER:MODEL for all roles.${withoutRole(role, methods, strategies)}`,
  }))
}

/** Says with which options methods do not ask a role; empty if one of them always does. */
function withoutRole(role: string, methods: readonly Method[], strategies: readonly KnownStrategy[]): string {
  const asking = methods.filter(({ roles = [] }) => roles.includes(role))
  const ways = asking.map((method) => {
    const strategy = strategies.find((one) => one.strategy.name === method.strategy)?.strategy
    const works = (options: Method['options']) =>
      !roleNames({ ...method, options }, strategies).includes(role)
    return strategy ? workingOptions(strategy, method.options, works) : []
  })
  if (ways.some((way) => way.length === 0)) return ''
  return asking.map(({ label }, i) => ` Without it, ${label} works with ${ways[i]?.join(' or ')}.`).join('')
}

/** Splits `A,B` into its agents. Every method runs with each of them. */
function splitAgents(text: string, described: object, problems: Problem[]): string[] {
  const parts = joinFiles(text.split(',').map((part) => part.trim()))
  const twice = parts.find((part, place) => parts.indexOf(part) < place)
  const isNone = (part: string) => checkAgentName(part) !== undefined && !Object.hasOwn(described, part)
  const cut = parts.find((part, place) => parts[place - 1]?.startsWith('acp:') && isNone(part))
  const fix = 'Write for example --agents A,B to run every method with A and with B.'
  if (parts.length > 1 && parts.includes(''))
    problems.push({ where: `--agents ${text}`, what: 'has an empty agent name', fix })
  else if (twice !== undefined)
    problems.push({ where: `--agents ${text}`, what: `names "${twice}" twice`, fix })
  else if (cut !== undefined)
    problems.push({
      where: `--agents ${text}`,
      what: `names no agent by "${cut}", which stands behind the comma of a command`,
      fix: 'Describe an agent with a comma in its command in bench.config.yaml: provider: acp, and program.',
    })
  else return parts
  return parts.slice(0, 1)
}

/** Joins `recorded:FILE` with the files behind its commas: a part that is a file of replies names no agent. */
function joinFiles(parts: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    const isFile = !part.includes(':') && /\.jsonl(\.gz)?$/.test(part)
    if (before && isFile && agentReach(before) === 'replies') joined[joined.length - 1] = `${before},${part}`
    else joined.push(part)
  }
  return joined
}

/** Returns a problem for each method that would run the same trials with two sets, because its roles have their own agents. */
export function equalSetProblems(sets: readonly AgentSet[], methods: readonly Method[]): Problem[] {
  return methods.flatMap(({ label, roles = [], agents: own }): Problem[] => {
    const assignments = sets.map((set) => {
      const names: Names = { ...set.agents, ...own }
      return JSON.stringify(roles.map((role) => ofRole(names, role)))
    })
    if (roles.length === 0 || new Set(assignments).size === sets.length) return []
    return [
      {
        where: `--agents ${sets.map((set) => set.label).join(',')}`,
        what: `method "${label}" has the same agents in two of these sets`,
        fix: 'Remove the agent of one of its roles, or give only one agent to --agents.',
      },
    ]
  })
}

/** Returns the name of an agent in records, and its problem if there is one. An agent of the config file is recorded with its provider and model. */
function nameOf(
  text: string,
  config: Config | undefined,
): { found: string; problem?: Omit<Problem, 'where'> | undefined } {
  const named = config?.agents ?? {}
  const entry = Object.hasOwn(named, text) ? named[text] : undefined
  if (entry !== undefined) return { found: recordedName(text, entry) }
  return { found: text, problem: unknownLabel(text, named) }
}

/** Returns the settings of documents and of the config file; a document names no window and no family, so those of the file count. */
function withWindows(own: AgentSettings, ofFile: AgentSettings): AgentSettings {
  const both = Object.entries(own).map(([name, setting]) => {
    const { window, family } = ofFile[name] ?? {}
    const ofModel = { ...(window !== undefined && { window }), ...(family !== undefined && { family }) }
    return [name, { ...setting, ...ofModel }] as const
  })
  return { ...ofFile, ...Object.fromEntries(both) }
}

function settingsOf(named: Readonly<Record<string, AgentEntry>>, used: ReadonlySet<string>): AgentSettings {
  const settings: AgentSettings = {}
  for (const [label, agent] of Object.entries(named)) {
    const name = recordedName(label, agent)
    if (typeof agent === 'string' || !used.has(name)) continue
    if (name.includes('=') || agent.window !== undefined || agent.family !== undefined)
      settings[name] = { ...settings[name], ...entrySetting(agent) }
  }
  return settings
}
