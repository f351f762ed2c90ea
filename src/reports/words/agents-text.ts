import { agentsLabel } from '../../analysis/summarize.ts'
import type { MethodSummary } from '../../analysis/summary.ts'
import { ofRole } from '../../schema/agent/agent-set.ts'
import { type AgentSettings, settingsText } from '../../schema/agent/agent-settings.ts'
import { kinshipOf } from '../../schema/agent/model-name.ts'

/** One agent, or agents by role; `*` stands for all other roles. */
type Agents = string | Readonly<Record<string, string>>

/**
 * Returns the agents of roles, those with the same agent together: `coder, planner: strong; reviewer: cheap`. An agent of many roles
 * is that of the `others`. With `roles` only these count. A single agent stands alone. `nameOf` writes an agent's name.
 */
export function agentsText(
  agents: Agents,
  roles: readonly string[] | undefined,
  nameOf: (agent: string) => string = (agent) => agent,
): string {
  if (typeof agents === 'string') return nameOf(agents)
  const asked = roles?.length
    ? roles.map((role) => [role, ofRole(agents, role)] as const)
    : Object.entries(agents).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const groups = new Map<string, string[]>()
  for (const [role, agent] of asked)
    if (agent !== undefined) groups.set(agent, [...(groups.get(agent) ?? []), role === '*' ? 'others' : role])
  const [[only] = [''], ...more] = [...groups]
  if (more.length === 0) return nameOf(only)
  return shortGroups([...groups])
    .map(([agent, names]) => `${names.join(', ')}: ${nameOf(agent)}`)
    .join('; ')
}

/** Roles are listed up to this number. */
const mostListed = 2

/** Calls the roles of the largest group `others`, if they are many. */
function shortGroups(groups: readonly [agent: string, roles: string[]][]): [string, string[]][] {
  const most = groups.reduce((largest, group) => (group[1].length > largest[1].length ? group : largest))
  if (most[1].length <= mostListed || groups.some(([, roles]) => roles.includes('others'))) return [...groups]
  return [...groups.filter((group) => group !== most), [most[0], ['others']]]
}

/** Returns the agents with their whole names, as records have them; the roles in front, if these differ. */
export function wholeAgentsText(agents: Agents): string {
  const names = typeof agents === 'string' ? [] : Object.entries(agents)
  const isPlain = names.every(([role, agent]) => role !== '*' && shortName(agent) === agent)
  return isPlain ? agentsLabel(agents) : agentsText(agents, undefined)
}

const rank = (role: string) => (role === '*' ? 1 : 0)

/** Returns the label of an agent that has one: an agent with a label is LABEL=PROVIDER:MODEL. */
export const shortName = (agent: string): string => /^([^:=]+)=/.exec(agent)?.[1] ?? agent

/** Returns the agents of a row as its table shows them. */
export const rowAgents = ({ agents, roleAgents }: Pick<MethodSummary, 'agents' | 'roleAgents'>): string =>
  roleAgents ?? agents

/**
 * Returns what the short names of agents stand for, and their settings: `strong=openai:gpt-5: reasoning high`. Agents with neither a
 * label nor settings are left out.
 */
export function legendTexts(agents: readonly string[], settings: AgentSettings = {}): string[] {
  return [...new Set(agents)].flatMap((agent) => {
    const text = settingsText(settings[agent] ?? {})
    if (text === '' && shortName(agent) === agent) return []
    return [`${agent}${text === '' ? '' : `: ${text}`}`]
  })
}

/**
 * Returns the groups of agents that are of one model or family, each with its roles: `step-1 (small), step-2 (tiny)`. Families are
 * those of the settings, else as the names of models tell.
 */
export function relatedTexts(
  byRole: Readonly<Record<string, string>>,
  roles: readonly string[],
  settings: AgentSettings = {},
): string[] {
  const asked = [...new Set(roles.flatMap((role) => ofRole(byRole, role) ?? []))]
  const groups: string[][] = []
  for (const agent of asked) {
    const kin = groups.find((group) => group.some((other) => kinshipOf(agent, other, settings)))
    if (kin) kin.push(agent)
    else groups.push([agent])
  }
  const rolesOf = (agent: string) => roles.filter((role) => ofRole(byRole, role) === agent).join(', ')
  return groups
    .filter((group) => group.length > 1)
    .map((group) => group.map((agent) => `${rolesOf(agent)} (${shortName(agent)})`).join(' and '))
}
