import { isVariableName } from '../../../schema/variable-name.ts'
import { secretsOf } from '../../../text/redact.ts'
import {
  type Add,
  asList,
  asMap,
  asText,
  checkTwice,
  entryOf,
  type Path,
  type RawMap,
} from '../../../yaml/raw.ts'
import { entries } from './references.ts'

/** Reports mistakes of tools, and of agents and tasks that cannot use theirs. */
export function checkTools(document: RawMap, add: Add): void {
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

/** Whether an agent does some task that does not choose among its tools. */
function usesAllTools(document: RawMap, id: string): boolean {
  const own = entries(document.tasks).filter(([, { agent_ref }]) => agent_ref === id)
  return own.length === 0 || own.some(([, { tools }]) => tools === undefined)
}

/** Reports agents that may write files although they do not make the work. */
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
