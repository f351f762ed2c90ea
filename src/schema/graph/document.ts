import { z } from 'zod'
import { findKeyIn } from '../../text/hide-keys.ts'
import { Id } from '../ids.ts'
import { Tool } from '../tool/tool.ts'
import { VariableName } from '../variable-name.ts'
import { Conflict, Node, OnFailure } from './node.ts'

const id = Id.optional().describe('Must equal the key.')
const model = z.string().min(1)
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  // It would be printed by `bench plan` and recorded in the run, and no request can be made with it.
  .refine((text) => !/^[^/?#]*\/\/[^/?#]*@/.test(text), {
    error:
      'has a user name or a password. Remove it; http_remote takes a key from the environment variable that key_variable names.',
    abort: true,
  })
  .refine((text) => findKeyIn(text) === undefined, {
    error:
      'has a key. Remove it; http_remote takes a key from the environment variable that key_variable names.',
  })

const LocalOllama = z.strictObject({
  id,
  kind: z.literal('local_ollama'),
  config: z.strictObject({
    model: model.describe('As listed by `ollama list`.'),
    base_url: url.optional().describe('Default: the address of a local Ollama server.'),
  }),
})

const HttpRemote = z.strictObject({
  id,
  kind: z.literal('http_remote'),
  config: z.strictObject({
    base_url: url.describe('Address of a server with the chat completions protocol, up to /v1.'),
    model,
    key_variable: VariableName.optional().describe('The environment variable that holds the key.'),
  }),
})

const BenchAgent = z.strictObject({
  id,
  kind: z.literal('bench_agent'),
  config: z.strictObject({
    agent: z.string().min(1).describe('As after --agents: provider:model, or a name of bench.config.yaml.'),
  }),
})

/** What answers for agents: a model behind an address, or any agent that bench knows. */
export const Provider = z.discriminatedUnion('kind', [LocalOllama, HttpRemote, BenchAgent])
export type Provider = z.infer<typeof Provider>

const tools = z.array(Id).default([])

/** Who answers: a provider, a kind of work, and instructions. */
const GraphAgent = z.strictObject({
  id: Id.optional().describe('Must equal the key.'),
  provider: Id.optional().describe('Required if there are several providers. Without any, --agents decides.'),
  model: z.string().min(1).optional().describe('Overrides the model of the provider.'),
  work: z
    .enum(['produce', 'judge', 'summarise', 'decide'])
    .default('produce')
    .describe('Its kind of work. `produce` does the task; its files and its answer count.'),
  instructions: z.string().min(1).optional().describe('Its system prompt.'),
  tools: tools.describe('The tools that it may use.'),
  max_output: z.int().positive().optional().describe('Maximum output tokens of a reply.'),
})

/** A reusable piece of work for an agent. */
const GraphTask = z.strictObject({
  id: Id.optional().describe('Must equal the key.'),
  agent_ref: Id.describe('The agent that does it.'),
  prompt: z.string().min(1).describe('What the agent is asked to do.'),
  tools: z
    .array(Id)
    .optional()
    .describe('The tools of the agent that it may use here; default: all of them.'),
})

/** The version of the documents that this release reads. */
export const documentVersion = '0.5'

/** A graph of steps. */
export const GraphWorkflow = z.strictObject({
  id: Id.optional().describe('Must equal the key.'),
  kind: z
    .enum(['sequential', 'concurrent'])
    .default('sequential')
    .describe(
      'sequential: each step waits for the one before it. concurrent: steps wait only for their needs.',
    ),
  steps: z.array(Node).min(1),
  answer: Id.optional().describe(
    'The step or pattern whose reply is the answer; default: the last `produce` step.',
  ),
  conflict: Conflict.default('fail').describe('What happens when two steps changed one file.'),
  max_concurrency: z.int().min(1).optional().describe('Overrides run.defaults.max_concurrency.'),
})
export type GraphWorkflow = z.infer<typeof GraphWorkflow>

const Input = z.union([
  z.literal('task'),
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({
    file: z.string().min(1).describe('Path of a text file, relative to the working folder.'),
  }),
])

const Place = z.strictObject({ provider: Id.optional(), agent: Id.optional() })

const GraphRun = z.strictObject({
  name: z.string().min(1).optional(),
  workflow_ref: Id.optional(),
  workflow: GraphWorkflow.optional().describe('An inline workflow, instead of workflow_ref.'),
  defaults: z
    .strictObject({
      max_concurrency: z.int().min(1).default(4).describe('Most steps that run at the same time.'),
      on_failure: OnFailure.default('fail'),
      timeout_ms: z.int().positive().optional(),
      retries: z.int().min(0).max(10).default(0),
    })
    .prefault({}),
  input: Input.default('task').describe('What the steps read: the task, a text, or a file.'),
  placement: z
    .strictObject({
      provider: Id.optional().describe('The provider of all steps that are not named in steps.'),
      steps: z.record(z.string(), Place).default({}).describe('Provider or agent by the id of a step.'),
    })
    .prefault({}),
  seed: z.int().min(0).default(0).describe('Decides the order in which a referee reads candidates.'),
})

const byId = <Value extends z.ZodType>(value: Value) => z.record(Id, value)

/** A document of a graph: six primitives that name each other. */
export const GraphDocument = z.strictObject({
  version: z.union([z.literal(documentVersion), z.literal(Number(documentVersion))]),
  name: z.string().min(1).optional(),
  description: z.string().min(1).optional(),
  providers: byId(Provider).default({}),
  tools: byId(Tool).default({}),
  agents: byId(GraphAgent),
  tasks: byId(GraphTask),
  workflows: byId(GraphWorkflow).default({}),
  run: GraphRun,
})
export type GraphDocument = z.infer<typeof GraphDocument>

/** Returns the JSON Schema of graph documents, with which editors complete and check them. */
export function graphJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(GraphDocument, {
    io: 'input',
    target: 'draft-2020-12',
    // A step has no `pattern`: JSON Schema knows no undefined value.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {}
    },
  })
  const { $schema, ...rest } = schema
  return {
    $schema,
    $id: `orchestration-bench:graph-document:${documentVersion}`,
    title: `Graph document ${documentVersion} of orchestration-bench`,
    ...rest,
  }
}
