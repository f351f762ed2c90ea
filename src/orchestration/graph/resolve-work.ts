import type { GraphDocument } from '../../schema/graph/document.ts'
import type { Step, StepSlot } from '../../schema/graph/node.ts'
import type { PlanWork } from '../../schema/graph/plan.ts'

/** Returns what a step asks its agent. `names` are the names by which the run can place it, most specific first. */
export function resolveWork(
  { agents, tasks, providers, run }: GraphDocument,
  slot: Step | StepSlot,
  names: readonly string[],
): PlanWork {
  const step = typeof slot === 'string' ? { task: slot } : slot
  const task = entry(tasks, step.task)
  const places = names.flatMap((name) =>
    Object.hasOwn(run.placement.steps, name) ? [entry(run.placement.steps, name)] : [],
  )
  const id = places.find((place) => place.agent)?.agent ?? step.agent ?? task.agent_ref
  const agent = entry(agents, id)
  const ids = Object.keys(providers)
  const own = agent.provider ?? (ids.length === 1 ? ids[0] : undefined) ?? null
  const elsewhere =
    places.length > 0 ? places.find((place) => place.provider)?.provider : run.placement.provider
  const provider = elsewhere ?? own
  const isMoved = provider !== own
  const timeout = step.timeout_ms ?? run.defaults.timeout_ms
  return {
    task: step.task,
    agent: id,
    role: isMoved ? `${id}@${provider}` : id,
    provider,
    // Another provider does not have the same models.
    ...(agent.model !== undefined && !isMoved && { model: agent.model }),
    work: agent.work,
    prompt: task.prompt,
    ...(agent.instructions !== undefined && { instructions: agent.instructions }),
    ...(agent.max_output !== undefined && { max_output: agent.max_output }),
    tools: [...(task.tools ?? agent.tools)],
    on_failure: step.on_failure ?? run.defaults.on_failure,
    ...(timeout !== undefined && { timeout_ms: timeout }),
    retries: step.retries ?? run.defaults.retries,
    ...(step.conflict !== undefined && { conflict: step.conflict }),
  }
}

function entry<Value>(map: Readonly<Record<string, Value>>, id: string): Value {
  const found = Object.hasOwn(map, id) ? map[id] : undefined
  if (found === undefined) throw new Error(`the document was not checked: it has no "${id}"`)
  return found
}
