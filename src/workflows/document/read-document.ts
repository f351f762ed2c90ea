import { documentVersion, GraphDocument, type GraphWorkflow } from '../../schema/graph/document.ts'
import type { Node, SlotStep, Step } from '../../schema/graph/node.ts'
import type { Problem } from '../../text/errors.ts'
import type { ParsedYaml } from '../../yaml/parse-yaml.ts'
import { asMap, type Path, type RawMap } from '../../yaml/raw.ts'
import { type CheckedFields, joinProblems, notAMap, readFields } from '../../yaml/read-fields.ts'
import { type FieldProblem, schemaProblems } from '../../yaml/schema-problems.ts'
import { type AgentProblem, checkPrimitives } from './check-primitives.ts'
import { checkRun, checkWorkflow } from './check-workflow.ts'
import { foreignWords, ifMissing, remedies } from './document-words.ts'
import { type Holds, patternSlots } from './list-sites.ts'

/** A document that has no mistakes. */
export interface GraphFile {
  /** With all ids, defaults and the text of the input file filled in. */
  document: GraphDocument
  /** The names of its workflows. */
  workflows: string[]
  /** Returns `file:line:column field` of a field, or of its nearest parent. */
  where(...path: PropertyKey[]): string
}

/** What a document may refer to outside of itself. */
export interface Surroundings {
  /** Returns the text of a file; undefined if there is none. */
  read(path: string): string | undefined
  /** Says what is wrong with the name of an agent of bench. */
  agentProblem?(name: string): { what: string; fix?: string | undefined } | undefined
}

/** Reads a document of a graph, in YAML or JSON. Returns undefined if it has mistakes, and adds all of them. */
export function readGraphDocument(
  text: string,
  file: string,
  problems: Problem[],
  around: Surroundings,
): GraphFile | undefined {
  const read = readFields(text, file, problems, (parsed) => checkFields(parsed, around))
  if (!read) return undefined
  const { data: document, where } = read
  const { input, workflow } = document.run
  const inputText = typeof input === 'object' && 'file' in input ? around.read(input.file) : undefined
  const workflows = [...Object.keys(document.workflows), ...(workflow?.id ? [workflow.id] : [])]
  return { document: resolveDocument(document, inputText), workflows, where }
}

/** Checks what a text says: by the schema, and by what the schema cannot see. */
function checkFields(
  { faults, data, offsetOf, placeOf }: ParsedYaml,
  { read, agentProblem = () => undefined }: Surroundings,
): CheckedFields<GraphDocument> {
  if (data === undefined && faults.length > 0) return { found: [] }
  const fix = `Write version: "${documentVersion}", agents, tasks, workflows and run.`
  const isWrong = notAMap(data, fix)
  if (isWrong) return { found: [isWrong] }
  const { data: document, error } = GraphDocument.safeParse(data, { jitless: true })
  const bySchema = schemaProblems(error?.issues ?? [], {
    schema: GraphDocument,
    value: data,
    examples: remedies,
    ifMissing,
    synonyms: foreignWords,
    // Somebody may have written the key itself.
    secretFields: ['key_variable'],
  }).map((problem) => (problem.path[0] === 'version' ? versionProblem(data as object) : problem))
  const lineOf = (path: readonly PropertyKey[]) => placeOf(offsetOf(path))
  const semantic = checkDocument(data as Record<string, unknown>, { read, agentProblem, lineOf })
  return { data: document, found: joinProblems(bySchema, semantic) }
}

function versionProblem(document: object): FieldProblem {
  const { version } = document as { version?: unknown }
  return {
    path: ['version'],
    what:
      version === undefined
        ? 'is missing'
        : `is ${JSON.stringify(version)}. This release reads version ${documentVersion}`,
    fix: `Write version: "${documentVersion}".`,
  }
}

/** What a check may look at besides the document. */
interface Beside {
  /** Returns the text of a file; undefined if there is none. */
  read(path: string): string | undefined
  agentProblem: AgentProblem
  lineOf(path: Path): string
}

/**
 * Returns the mistakes of a document that its schema cannot see. It need not have passed the schema: whatever has a wrong type is
 * passed over, and so is what depends on it.
 */
function checkDocument(document: RawMap, { read, agentProblem, lineOf }: Beside): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (path: Path, what: string, fix?: string) => {
    problems.push({ path, what, ...(fix !== undefined && { fix }) })
  }
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
  return problems
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
