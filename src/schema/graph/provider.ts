import { z } from 'zod'
import { Id } from '../ids.ts'
import { VariableName } from '../variable-name.ts'

const id = Id.optional().describe('Must equal the key.')
const model = z.string().min(1)
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  // It would be printed by `bench plan` and recorded in the run, and no request can be made with it.
  .refine((text) => !/^[^/?#]*\/\/[^/?#]*@/.test(text), {
    error:
      'has a user name or a password. Remove it; http_remote takes a key from the environment variable that key_variable names.',
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
