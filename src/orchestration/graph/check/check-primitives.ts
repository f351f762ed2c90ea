import { type Add, asList, asMap, asText, checkTwice, entryOf, type RawMap } from '../../../yaml/raw.ts'
import { checkTools } from './check-tools.ts'
import { checkReference, entries, primitivesOf } from './references.ts'

/** What is wrong with the name of an agent of bench. */
export type AgentProblem = (name: string) => { what: string; fix?: string | undefined } | undefined

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
