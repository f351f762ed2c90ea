import type { KindOfWork } from '../../ask.ts'
import type { DocumentAgent } from '../../schema/agent/document-agent.ts'
import type { Provider } from '../../schema/graph/document.ts'
import type { GraphPlan, PlanStep, PlanWork } from '../../schema/graph/plan.ts'
import type { Flow } from '../../schema/method/declaration.ts'

const addedRoles = (step: PlanStep): string[] => [
  ...new Set(
    worksOf(step)
      .slice(1)
      .map(({ role }) => role),
  ),
]

/** Returns the roles of a plan, with their kinds of work. */
export function planRoles({ steps }: GraphPlan): Record<string, KindOfWork> {
  return Object.fromEntries(steps.flatMap(worksOf).map(({ role, work }) => [role, work]))
}

/** Returns the agents that the providers of a plan come to, by role. `file` is the document that names them. */
export function planAgents({ steps, providers }: GraphPlan, file: string): DocumentAgent[] {
  const agents = new Map<string, DocumentAgent>()
  for (const { role, provider: id, model } of steps.flatMap(worksOf)) {
    const provider = id === null ? undefined : providers[id]
    if (id !== null && provider && !agents.has(role))
      agents.set(role, { role, where: `${file} providers.${id}`, ...agentOf(id, provider, model) })
  }
  return [...agents.values()]
}

function agentOf(
  id: string,
  provider: Provider,
  ownModel: string | undefined,
): Pick<DocumentAgent, 'name' | 'settings'> {
  if (provider.kind === 'bench_agent') return { name: provider.config.agent }
  const { base_url: baseUrl, model } = provider.config
  const name = `${provider.kind === 'local_ollama' ? 'ollama' : 'openai-compatible'}:${ownModel ?? model}`
  if (provider.kind === 'local_ollama' && baseUrl === undefined) return { name }
  const keyVariable = provider.kind === 'http_remote' ? provider.config.key_variable : undefined
  return {
    name: `${id}=${name}`,
    settings: {
      ...(baseUrl !== undefined && { baseUrl }),
      ...(keyVariable !== undefined && { keyVariable }),
    },
  }
}

/** Returns what a step may ask: its own work, and that of the steps that it may add. */
export function worksOf({ does, ...own }: PlanStep): PlanWork[] {
  if (does?.kind === 'plan') return [own, does.executor]
  if (does?.kind === 'assign') return [own, does.boss, ...Object.values(does.workers)]
  return [own]
}

/** Returns the declared flow of a plan: who is asked in which step, and which steps may add others. */
export const planFlow = ({ steps }: GraphPlan): Flow => ({
  graph: steps.map((step) => {
    const { id, role, needs: after, does } = step
    if (!does || does.kind === 'choose') return { id, role, after }
    return {
      id,
      role,
      after,
      open: true as const,
      inserts: { prefix: does.prefix, roles: addedRoles(step) },
    }
  }),
})
