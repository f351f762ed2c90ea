import { z } from 'zod'
import { withoutLabel } from '../../agents/agent.ts'
import { providers } from '../../agents/registry.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { isFile, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import { roleNames } from '../../loop/plan/row-agents.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { DocumentAgent } from '../../schema/agent/document-agent.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Config } from '../../schema/run/config.ts'
import { type Problem, thrownText } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { agentNameProblem } from '../config/agent-names.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { type SelectedMethods, selectMethods } from '../methods/select-methods.ts'

const DocumentAgents = z.array(DocumentAgent)

interface DocumentAgents {
  /** By role. */
  agents: Readonly<Record<string, DocumentAgent>>
  /** Names that cannot be agents, which have been reported. */
  invalid: readonly string[]
}

/** Returns the agents that a method's document names, in either mode. Adds every problem of them, with its place in the document. */
export function documentAgents(
  method: Method,
  strategies: readonly KnownStrategy[],
  config: Config | undefined,
  problems: Problem[],
): DocumentAgents {
  const agents: Record<string, DocumentAgent> = {}
  const invalid: string[] = []
  const roles = roleNames(method, strategies)
  for (const agent of namedBy(method, strategies, problems)) {
    const { role, where, name } = agent
    const problem = agentNameProblem(name, config?.agents) ?? settingsProblem(agent)
    if (problem) invalid.push(name)
    if (problem) problems.push({ where, ...problem })
    if (!roles.includes(role))
      problems.push(unknownName(where, 'role', role, roles, `bench methods ${method.strategy}`))
    else if (Object.hasOwn(agents, role))
      problems.push({ where, what: `gives role "${role}" two agents`, fix: 'Give each role one agent.' })
    else agents[role] = agent
  }
  return { agents, invalid }
}

/** Calls the strategy, which may be the user's code. */
function namedBy(
  { label, strategy: name, options }: Method,
  strategies: readonly KnownStrategy[],
  problems: Problem[],
): DocumentAgent[] {
  const { strategy } = strategies.find(({ strategy }) => strategy.name === name) ?? {}
  if (!strategy?.agentsOf) return []
  const wrong = (what: string) => {
    problems.push({ where: `--methods ${label}`, what, fix: 'See bench help add-a-strategy.' })
    return []
  }
  let named: unknown
  try {
    named = strategy.agentsOf(options)
  } catch (error) {
    return wrong(`agentsOf: the function threw: ${thrownText(error)}`)
  }
  const { data, error } = DocumentAgents.safeParse(named, { ...inWords, jitless: true })
  if (data) return data
  // The message quotes no value, since one may be a key.
  return error.issues.flatMap(({ path, message }) => wrong(`agentsOf: ${[...path, message].join(': ')}`))
}

function settingsProblem({ name, settings }: DocumentAgent): Omit<Problem, 'where'> | undefined {
  const plain = withoutLabel(name)
  if (settings === undefined) return undefined
  if (plain === name)
    return {
      what: `the agent ${name} has settings but no label of its own`,
      fix: `Name it LABEL=${name}, or leave out the settings.`,
    }
  const [provider = ''] = plain.split(':')
  const { settings: known = [] } = providers.find((one) => one.name === provider) ?? {}
  const given = Object.entries(settings).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  const unknown = given.filter((field) => !known.some((one) => one === field))
  if (unknown.length === 0) return undefined
  const fix = known.length > 0 ? `Its settings are ${known.join(', ')}.` : 'Leave them out.'
  return { what: `"${provider}" does not take ${unknown.join(' or ')}`, fix }
}

/**
 * Returns the agents that the documents of a config file's methods name, each name once, without those of the file itself. Bench
 * doctor must not run the user's code, so strategies from files are left out. `bench run` reports the mistakes of documents.
 */
export async function agentsOfDocuments(
  file: ConfigFile,
  isRead: (strategy: string) => boolean = (strategy) => !isFile(strategy),
  isTrusted: (label: string, methods: SelectedMethods) => boolean = () => true,
): Promise<DocumentAgent[]> {
  const { methods: entries = {}, run, agents: named = {} } = file.config
  const typed = splitMethods([run?.methods ?? []].flat().join(','))
  const strategyOf = (text: string) => {
    const name = readMethodText(text)?.name ?? ''
    const { strategy } = (Object.hasOwn(entries, name) && entries[name]) || {}
    return strategy === undefined ? name : (readMethodText(strategy)?.name ?? '')
  }
  const read = [...typed, ...Object.keys(entries)].filter((text) => isRead(strategyOf(text)))
  const selected = await selectMethods({ methods: read.join(',') }, file, [], true)
  const { methods, strategies } = selected
  const found = methods.flatMap((method) => {
    if (!isTrusted(method.label, selected)) return []
    const { agents, invalid } = documentAgents(method, strategies, file.config, [])
    return Object.values(agents).filter(({ name }) => !invalid.includes(name) && !Object.hasOwn(named, name))
  })
  return [...new Map(found.map((agent) => [agent.name, agent])).values()]
}
