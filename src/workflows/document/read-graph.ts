import { documentVersion, GraphDocument, type GraphWorkflow } from '../../schema/graph/document.ts'
import type { Node, SlotStep, Step } from '../../schema/graph/node.ts'
import { notVariableName } from '../../schema/variable-name.ts'
import type { Problem } from '../../text/errors.ts'
import { type Add, asMap, type Path, type RawMap } from '../../yaml/raw.ts'
import type { ReadFields } from '../../yaml/read-fields.ts'
import type { FieldProblem } from '../../yaml/schema-problems.ts'
import { checkPrimitives } from './check-primitives.ts'
import { checkRun, checkWorkflow } from './check-workflow.ts'
import { type Holds, patternSlots } from './list-sites.ts'
import { type LineOf, readDocument, type Surroundings } from './read-document.ts'

/** A document that has no mistakes, with the place of each field. */
export interface GraphFile extends Pick<ReadFields<GraphDocument>, 'where'> {
  /** With all ids, defaults and the text of the input file filled in. */
  document: GraphDocument
  /** The names of its workflows. */
  workflows: string[]
}

const remedies: Readonly<Record<string, string>> = {
  agents: 'Write `agents:` and under it each agent by its id, such as `maker: {}`.',
  tasks: 'Write `tasks:` and under it each task by its id, with `agent_ref:` and `prompt:`.',
  run: 'Write `run: { workflow_ref: ID }`.',
  workflow: 'Write `workflow_ref: ID`, or `workflow:` with `steps:`.',
  config: 'Write `config:` with what the kind needs.',
  command: 'Write `command:` with a program and its arguments, such as `[node, server.mjs]`.',
  allow: 'Write `allow:` with a list of names.',
  steps: 'Write `steps:` with a list; each item begins with `- id:`.',
  key_variable: notVariableName.fix,
  input: 'Write `task`, `{ text: … }` or `{ file: … }`.',
}

/** What to write where a required field is missing. */
const ifMissing: Readonly<Record<string, string>> = {
  id: 'Write `id:` with a name.',
  task: 'Write `task:` with the id of a task.',
  agent_ref: 'Write `agent_ref:` with the id of an agent.',
  prompt: 'Write `prompt:` with what the agent is asked to do.',
  kind: 'Write `kind:`.',
  branches: 'Write `branches:` and under it each branch by its name, with a list of steps.',
  debaters: 'Write `debaters:` and under it each debater by its name, with a task.',
  candidates: 'Write `candidates:` and under it each candidate by its name, with a task.',
  workers: 'Write `workers:` and under it each worker by its name, with a task.',
  join: 'Write `join:` with a task.',
  judge: 'Write `judge:` with a task.',
  referee: 'Write `referee:` with a task.',
  planner: 'Write `planner:` with a task.',
  executor: 'Write `executor:` with a task.',
  boss: 'Write `boss:` with a task.',
}

/** Reads a document of a graph, in YAML or JSON. Returns undefined if it has mistakes, and adds all of them. */
export function readGraphDocument(
  text: string,
  file: string,
  problems: Problem[],
  around: Surroundings,
): GraphFile | undefined {
  const read = readDocument(text, file, problems, {
    schema: GraphDocument,
    fix: `Write version: "${documentVersion}", agents, tasks, workflows and run.`,
    examples: remedies,
    ifMissing,
    // Somebody may have written the key itself.
    secretFields: ['key_variable'],
    tell: (problem, { version }) => (problem.path[0] === 'version' ? versionProblem(version) : problem),
    check: (document, add, lineOf) => checkDocument(document, around, lineOf, add),
  })
  if (!read) return undefined
  const { data: document, where } = read
  const { input, workflow } = document.run
  const inputText = typeof input === 'object' && 'file' in input ? around.read(input.file) : undefined
  const workflows = [...Object.keys(document.workflows), ...(workflow?.id ? [workflow.id] : [])]
  return { document: resolveDocument(document, inputText), workflows, where }
}

const versionProblem = (version: unknown): FieldProblem => ({
  path: ['version'],
  what:
    version === undefined
      ? 'is missing'
      : `is ${JSON.stringify(version)}. This release reads version ${documentVersion}`,
  fix: `Write version: "${documentVersion}".`,
})

function checkDocument(
  document: RawMap,
  { read, agentProblem = () => undefined }: Surroundings,
  lineOf: LineOf,
  add: Add,
): void {
  checkPrimitives(document, add, agentProblem)
  const workflows: [unknown, Path][] = [
    ...Object.entries(asMap(document.workflows) ?? {}).map(([id, value]): [unknown, Path] => [
      value,
      ['workflows', id],
    ]),
    [asMap(document.run)?.workflow, ['run', 'workflow']],
  ]
  const sites = workflows.flatMap(([value, path]) => {
    const workflow = asMap(value)
    return workflow ? checkWorkflow(document, workflow, path, lineOf, add) : []
  })
  checkRun(document, sites, lineOf, read, add)
}

/**
 * Fills in all that a document leaves out: ids, defaults, and the text of its input file. Documents that say the same become
 * equal.
 */
function resolveDocument(document: GraphDocument, inputText?: string): GraphDocument {
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
