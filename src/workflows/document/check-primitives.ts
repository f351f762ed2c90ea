import { isVariableName } from '../../schema/variable-name.ts'
import { secretsOf } from '../../text/redact.ts'
import {
  type Add,
  asList,
  asMap,
  asText,
  checkTwice,
  entryOf,
  type Path,
  type RawMap,
} from '../../yaml/raw.ts'
import { checkReference, entries, primitivesOf } from './list-sites.ts'
import type { Surroundings } from './read-document.ts'

type AgentProblem = NonNullable<Surroundings['agentProblem']>

/** Reports mistakes of providers, tools, agents and tasks. */
export function checkPrimitives(document: RawMap, add: Add, agentProblem: AgentProblem): void {
  for (const kind of ['providers', 'tools', 'agents', 'tasks', 'workflows'])
    for (const [key, value] of entries(document[kind])) {
      const id = asText(value.id)
      if (id !== undefined && id !== key)
        add([kind, key, 'id'], `is "${id}", but the key is "${key}"`, `Write id: ${key}, or remove it.`)
    }
  for (const [id, provider] of entries(document.providers)) {
    const agent = asText(asMap(provider.config)?.agent)
    const problem = provider.kind === 'bench_agent' && agent ? agentProblem(agent) : undefined
    if (problem) add(['providers', id, 'config', 'agent'], problem.what, problem.fix)
  }
  for (const [id, agent] of entries(document.agents)) checkAgent(document, id, agent, add)
  checkTools(document, add)
  for (const [id, task] of entries(document.tasks)) {
    checkReference(document, 'agent', task.agent_ref, ['tasks', id, 'agent_ref'], add)
    const agent = entryOf(asMap(document.agents), asText(task.agent_ref))
    checkTwice(asList(task.tools), ['tasks', id, 'tools'], add)
    asList(task.tools).forEach((tool, i) => {
      const path = ['tasks', id, 'tools', i]
      checkReference(document, 'tool', tool, path, add)
      const isTool = typeof tool === 'string' && entryOf(asMap(document.tools), tool) !== undefined
      if (isTool && agent && !asList(agent.tools).includes(tool))
        add(
          path,
          `agent "${String(task.agent_ref)}" does not have the tool "${tool}"`,
          'Add it to the tools of the agent.',
        )
    })
  }
}

function checkAgent(document: RawMap, id: string, agent: RawMap, add: Add): void {
  const providers = primitivesOf(document, 'provider')
  const ids = Object.keys(providers ?? {})
  const path = (field: string) => ['agents', id, field]
  checkReference(
    document,
    'provider',
    agent.provider,
    path('provider'),
    add,
    'Define it under providers, or remove it: then --agents decides.',
  )
  if (agent.provider === undefined && ids.length > 1)
    add(
      ['agents', id],
      `names no provider, and there are ${ids.length}`,
      `Write provider: with one of ${ids.join(', ')}.`,
    )
  const provider = asText(agent.provider) ?? (ids.length === 1 ? ids[0] : undefined)
  if (agent.model !== undefined && providers && ids.length === 0)
    add(path('model'), 'has no effect, since there are no providers', 'Add a provider, or remove it.')
  if (agent.model !== undefined && entryOf(providers, provider)?.kind === 'bench_agent')
    add(
      path('model'),
      `has no effect: provider "${provider}" is a bench_agent`,
      'Write the model in its config.agent.',
    )
  checkTwice(asList(agent.tools), path('tools'), add)
  asList(agent.tools).forEach((tool, i) => {
    checkReference(document, 'tool', tool, [...path('tools'), i], add)
  })
}

/** Reports mistakes of tools, and of agents and tasks that cannot use theirs. */
function checkTools(document: RawMap, add: Add): void {
  for (const [id, tool] of entries(document.tools)) checkConfig(tool, ['tools', id, 'config'], add)
  for (const [id, agent] of entries(document.agents)) {
    checkWriters(document, id, agent, add)
    if (usesAllTools(document, id)) checkNames(document, asList(agent.tools), ['agents', id, 'tools'], add)
  }
  for (const [id, task] of entries(document.tasks))
    checkNames(document, asList(task.tools), ['tasks', id, 'tools'], add)
}

function checkConfig({ kind, config: given }: RawMap, path: Path, add: Add): void {
  const config = asMap(given)
  if (!config) return
  for (const field of ['allow', 'files']) checkTwice(asList(config[field]), [...path, field], add)
  if (kind !== 'mcp') return
  const env = Object.entries(asMap(config.env) ?? {})
  for (const [name] of env)
    if (!isVariableName(name))
      add(
        [...path, 'env', name],
        'is not the name of an environment variable',
        'Use letters, digits and underscores, and do not begin with a digit.',
      )
  const texts = env.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  for (const { name } of secretsOf(Object.fromEntries(texts)).secrets)
    add(
      [...path, 'env', name],
      `would give its server the key ${name}; no server of tools gets a key`,
      'Remove it. The server runs in the sandbox, without a network.',
    )
}

function usesAllTools(document: RawMap, id: string): boolean {
  const own = entries(document.tasks).filter(([, { agent_ref }]) => agent_ref === id)
  return own.length === 0 || own.some(([, { tools }]) => tools === undefined)
}

function checkWriters(document: RawMap, id: string, { work = 'produce', tools }: RawMap, add: Add): void {
  if (work === 'produce') return
  asList(tools).forEach((name, i) => {
    const allow = asList(asMap(toolOf(document, name)?.config)?.allow)
    if (toolOf(document, name)?.kind !== 'workspace' || !allow.includes('write')) return
    const others = allow.filter((one) => one !== 'write')
    add(
      ['agents', id, 'tools', i],
      `allows write, but agent "${id}" has work: ${String(work)}, and only work: produce changes files`,
      others.length > 0
        ? `Define another tool for it, with allow: [${others.join(', ')}].`
        : 'Remove it from the agent, or set work: produce.',
    )
  })
}

/** Reports tools of one list whose functions have one name: a model could call only the first. */
function checkNames(document: RawMap, tools: readonly unknown[], path: Path, add: Add): void {
  const first = new Map<string, unknown>()
  tools.forEach((name, i) => {
    const names = functionsOf(name, toolOf(document, name))
    const taken = names.find((one) => first.has(one))
    const other = taken === undefined ? undefined : first.get(taken)
    if (taken !== undefined && other !== name)
      add(
        [...path, i],
        `gives the agent a second function "${taken}"; it already has that of tool "${String(other)}"`,
        taken.startsWith('memory_') ? 'Give it one memory.' : 'Rename one of the two tools.',
      )
    for (const one of names) if (!first.has(one)) first.set(one, name)
  })
}

/** Names of the functions of a tool that models call. Those of the workspace are the same whichever tool allows them. */
function functionsOf(id: unknown, tool: RawMap | undefined): string[] {
  if (tool?.kind === 'memory') return ['memory_store', 'memory_recall']
  if (tool?.kind !== 'mcp') return []
  // As the names of its functions begin: vendors refuse dots.
  return asList(asMap(tool.config)?.allow).map((name) =>
    `${String(id)}__${String(name)}`.replace(/[^\w-]/g, '_'),
  )
}

const toolOf = (document: RawMap, name: unknown) => entryOf(asMap(document.tools), asText(name))
