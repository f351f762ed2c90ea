import type { GraphDocument, GraphWorkflow } from '../../schema/graph/document.ts'
import type { Node, Step, StepSlot } from '../../schema/graph/node.ts'
import type { GraphPlan, PlanStep, PlanWork } from '../../schema/graph/plan.ts'
import { digest } from '../../text/canonical-json.ts'
import { byName, type ChainPlace, type Compiler, compilePattern, type Place } from './patterns.ts'
import { worksOf } from './plan-roles.ts'

/** The name of a workflow that stands in `run` and has no id. */
const inlineWorkflow = 'inline'

/**
 * Makes the plan of a workflow of a document that `readGraphDocument` returned; by default of the one that `run` names. Equal
 * documents give the same plan, byte for byte, whatever the order of their keys.
 */
export function compilePlan(document: GraphDocument, workflow?: string): GraphPlan {
  const chosen = chooseWorkflow(document, workflow)
  const { name, only } = chosen
  const { conflict, max_concurrency, answer } = chosen.workflow
  const { steps, last } = compileSteps(document, chosen.workflow)
  const { seed, defaults, input } = document.run
  return {
    version: 1,
    name: document.run.name ?? document.name ?? name,
    workflow: name,
    digest: digest({ document: only, seed }),
    seed,
    max_concurrency: max_concurrency ?? defaults.max_concurrency,
    conflict,
    providers: usedProviders(document, steps),
    ...usedTools(document, steps),
    input: typeof input === 'object' && 'text' in input ? input.text : null,
    answer: answer === undefined ? null : (last.get(answer) ?? null),
    steps,
  }
}

function chooseWorkflow(
  document: GraphDocument,
  named?: string,
): { name: string; workflow: GraphWorkflow; only: GraphDocument } {
  const { workflow: inline, workflow_ref, ...run } = document.run
  const inlineName = inline?.id ?? inlineWorkflow
  const name = named ?? workflow_ref ?? (inline && inlineName)
  if (inline && name === inlineName)
    return { name: inlineName, workflow: inline, only: { ...document, workflows: {} } }
  const workflow = name !== undefined && Object.hasOwn(document.workflows, name) && document.workflows[name]
  if (name === undefined || !workflow) throw new Error(`the document has no workflow "${name}"`)
  const only = { ...document, workflows: { [name]: workflow }, run: { ...run, workflow_ref: name } }
  return { name, workflow, only }
}

/** Returns the steps of a workflow, and the last step of each of its nodes. */
function compileSteps(document: GraphDocument, { kind, steps: nodes }: GraphWorkflow) {
  const steps: PlanStep[] = []
  const orderOf = new Map<string, number>()
  const compiler: Compiler = {
    step(slot, { id, needs, parts, names, does }) {
      const sorted = [...new Set(needs)].sort((a, b) => (orderOf.get(a) ?? 0) - (orderOf.get(b) ?? 0))
      orderOf.set(id, steps.length)
      const work = resolveWork(document, slot, [id, ...names])
      steps.push({ id, needs: sorted, ...work, parts: [...parts], ...(does && { does }) })
      return id
    },
    slot(slot, { id, scope, ...place }) {
      if (typeof slot === 'string' || slot.pattern === undefined) return compiler.step(slot, { id, ...place })
      // Of several steps that begin the inner pattern, one tells that the outer one joins.
      const first = steps.length
      const parts = place.parts.map(({ joins, ...part }) => part)
      const names = [id, ...place.names]
      const last = compileNode(slot, { ...place, parts, names, prefix: '', scope }, compiler)
      steps[first]?.parts.splice(0, place.parts.length, ...place.parts)
      return last
    },
    chain(nodes, place) {
      return nodes.reduce<string>((before, node, i) => {
        const needs = i === 0 ? place.needs : [before]
        return compileNode(node, { ...place, needs }, compiler)
      }, '')
    },
    work: (slot, names) => resolveWork(document, slot, names),
  }
  const top = { parts: [], names: [], prefix: '', scope: '' }
  const last = new Map<string, string>()
  for (const { node, needs } of inOrder(nodes, kind))
    last.set(node.id, compileNode(node, { ...top, needs: needs.map((id) => last.get(id) ?? id) }, compiler))
  setBefore(steps)
  return { steps, last }
}

function compileNode(node: Node, place: ChainPlace, compiler: Compiler): string {
  const { prefix, scope, ...around } = place
  if (node.pattern === undefined)
    return compiler.step(node, { ...around, id: prefix + node.id, names: place.names })
  const id = scope ? `${scope}.${node.id}` : node.id
  const names = [`p::${id}`, id, ...place.names]
  return compilePattern(node, { ...around, id, names } satisfies Place & { id: string }, compiler)
}

/** Returns nodes with what they need, each after all that it needs, and otherwise as listed. */
function inOrder(
  nodes: readonly Node[],
  kind: GraphWorkflow['kind'],
): { node: Node; needs: readonly string[] }[] {
  if (kind === 'sequential')
    return nodes.map((node, i) => ({ node, needs: i === 0 ? [] : [(nodes[i - 1] as Node).id] }))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ordered = new Map<string, Node>()
  const open = [...nodes].reverse()
  for (let node = open.at(-1); node; node = open.at(-1)) {
    const missing = node.needs.flatMap((id) => (ordered.has(id) ? [] : (byId.get(id) ?? [])))
    if (missing.length === 0 || ordered.has(node.id)) {
      ordered.set(node.id, node)
      open.pop()
    } else open.push(...missing.reverse())
  }
  return [...ordered.values()].map((node) => ({ node, needs: node.needs }))
}

/** Steps that need one that adds steps also wait for the added ones. */
function setBefore(steps: readonly PlanStep[]): void {
  const adding = new Map(
    steps.flatMap(({ id, does }) => (does && does.kind !== 'choose' ? [[id, does.before]] : [])),
  )
  for (const { id, needs } of steps) for (const need of needs) adding.get(need)?.push(id)
}

function usedProviders(document: GraphDocument, steps: readonly PlanStep[]): GraphPlan['providers'] {
  const used = new Set(steps.flatMap(worksOf).map(({ provider }) => provider))
  return Object.fromEntries(byName(document.providers).filter(([id]) => used.has(id)))
}

/** Returns the tools of all steps, those added at run time included. A plan without any says nothing of tools. */
function usedTools(document: GraphDocument, steps: readonly PlanStep[]): Pick<GraphPlan, 'tools'> {
  const used = new Set(steps.flatMap(worksOf).flatMap(({ tools }) => tools))
  const tools = Object.fromEntries(byName(document.tools).filter(([id]) => used.has(id)))
  return used.size > 0 ? { tools } : {}
}

/** Returns what a step asks its agent. `names` are the names by which the run can place it, most specific first. */
function resolveWork(
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
