import { documentVersion, type GraphDocument, type GraphWorkflow } from '../../schema/graph/document.ts'
import type { Node, SlotStep, Step } from '../../schema/graph/node.ts'
import { type Holds, patternSlots } from './pattern-slots.ts'

/**
 * Fills in all that a document leaves out: ids, defaults, and the text of its input file. Documents that say the same become
 * equal.
 */
export function resolveDocument(document: GraphDocument, inputText?: string): GraphDocument {
  const { providers, tools, agents, tasks, workflows, run } = document
  const [only, ...others] = Object.keys(providers)
  const provider = others.length === 0 && only !== undefined ? { provider: only } : {}
  const resolveWorkflow = (workflow: GraphWorkflow) => ({
    ...workflow,
    max_concurrency: workflow.max_concurrency ?? run.defaults.max_concurrency,
    steps: workflow.steps.map((node) => resolveNode(node, document)),
  })
  return {
    ...document,
    version: documentVersion,
    providers: withIds(providers),
    tools: withIds(tools),
    agents: withIds(mapValues(agents, (agent) => ({ ...provider, ...agent }))),
    tasks: withIds(tasks),
    workflows: withIds(mapValues(workflows, resolveWorkflow)),
    run: {
      ...run,
      ...(run.workflow && { workflow: resolveWorkflow(run.workflow) }),
      input: inputText === undefined ? run.input : { text: inputText },
    },
  }
}

const mapValues = <From, To>(map: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))

const withIds = <Value extends object>(map: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).map(([id, value]) => [id, { id, ...value }]))

/** Fills in a step or a pattern, and whatever is in it. */
function resolveNode<Given extends Node | SlotStep>(node: Given, document: GraphDocument): Given {
  if (node.pattern === undefined) return resolveStep(node, document) as Given
  const resolve: Record<Holds, (value: never) => unknown> = {
    slot: (slot: string | SlotStep) =>
      resolveNode(typeof slot === 'string' ? { task: slot } : slot, document),
    slots: (slots: Record<string, string | SlotStep>) => mapValues(slots, resolve.slot as never),
    chain: (nodes: Node[]) => nodes.map((inner) => resolveNode(inner, document)),
    chains: (chains: Record<string, Node[]>) => mapValues(chains, resolve.chain as never),
  }
  const fields = Object.entries(patternSlots[node.pattern]).flatMap(([field, holds]) => {
    const value = (node as unknown as Record<string, never>)[field]
    return value === undefined ? [] : [[field, resolve[holds](value)]]
  })
  return { ...node, ...Object.fromEntries(fields) }
}

function resolveStep<Given extends Step | SlotStep>(step: Given, { tasks, run }: GraphDocument): Given {
  const timeout = step.timeout_ms ?? run.defaults.timeout_ms
  return {
    ...step,
    agent: step.agent ?? tasks[step.task]?.agent_ref,
    on_failure: step.on_failure ?? run.defaults.on_failure,
    ...(timeout !== undefined && { timeout_ms: timeout }),
    retries: step.retries ?? run.defaults.retries,
  }
}
