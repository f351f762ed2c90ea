import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { persona } from '../fanout/machines.ts'
import { writeDocumentMethod } from './document-method.ts'
import { began, configFile, type NamingPlace, optionsOf, type Tried } from './naming-run.ts'

/**
 * Writes a workflow of one state, which the orchestrator or an agent `maker` does; returns the method as written after `--methods`.
 */
function writeFanout(folder: string, agents: { orchestrator: string; maker?: string }): string {
  const { orchestrator, maker } = agents
  const doer = maker === undefined ? { type: 'orchestrator-task' } : { type: 'single', agent: 'maker' }
  const machine = {
    name: 'naming',
    orchestrator: { persona: 'lead', agent: orchestrator },
    agents: maker === undefined ? {} : { maker: { agent: maker } },
    personas: { lead: 'lead.md' },
    states: {
      start: { type: 'initial', next: 'make' },
      make: { ...doer, persona: 'lead', output: 'made.md', transitions: { success: 'end', failure: 'halt' } },
      end: { type: 'terminal' },
      halt: { type: 'terminal', error: true },
    },
  }
  writeFileSync(join(folder, 'lead.md'), persona())
  writeFileSync(join(folder, 'naming.json'), JSON.stringify(machine))
  return `fanout:${join(folder, 'naming.json')}`
}

/** Places in documents of methods. */
export const documentPlaces: readonly NamingPlace[] = [
  {
    name: 'an agent that a method’s document names',
    is: 'default',
    begin: (tried) => {
      const method = writeDocumentMethod(tried.folder, { solver: { name: tried.kind.name } })
      return began(tried, { ...optionsOf(tried), methods: method })
    },
  },
  {
    name: 'an agent of the config file that a method’s document names, above the agents of the config file',
    is: 'default',
    begin: (tried) => {
      const method = writeDocumentMethod(tried.folder, { solver: { name: tried.kind.label } })
      const roles = `{ solver: "${tried.kind.beside}" }`
      const config = configFile(tried, `run: { agents: "${tried.kind.beside}" }\nroles: ${roles}\n`)
      return began(tried, { config, methods: method })
    },
  },
  {
    name: 'an agent with a label of its own that a method’s document names',
    is: 'default',
    begin: (tried) => {
      const { provider, name } = tried.kind
      // Only the config file describes a program of the user's own.
      const agent = provider === 'cli' ? { name } : { name: `own=${name}`, settings: {} }
      const method = writeDocumentMethod(tried.folder, { solver: agent })
      return began(tried, { ...optionsOf(tried), methods: method })
    },
  },
  {
    name: 'dag:FILE providers, of kind bench_agent',
    is: 'default',
    begin: (tried) => {
      const { name } = tried.kind
      const methods = writeGraph(tried, { kind: 'bench_agent', config: { agent: name } })
      return began(tried, { ...optionsOf(tried), methods })
    },
  },
  {
    name: 'dag:FILE providers, by the kind of provider where there is one',
    is: 'default',
    begin: (tried) =>
      began(tried, { config: configFile(tried), methods: writeGraph(tried, providerOf(tried)) }),
  },
  {
    name: 'dag:FILE providers, for a step that the run places',
    is: 'default',
    begin: (tried) => {
      const { label } = tried.kind
      const agent = { kind: 'bench_agent', config: { agent: label } }
      const methods = writeGraph(tried, { kind: 'bench_agent', config: { agent: tried.kind.beside } }, agent)
      return began(tried, { config: configFile(tried), methods })
    },
  },
  {
    name: 'fanout:FILE agents.NAME.agent',
    is: 'default',
    begin: (tried) => {
      const { name, beside } = tried.kind
      const methods = writeFanout(tried.folder, { orchestrator: beside, maker: name })
      return began(tried, { ...optionsOf(tried), methods })
    },
  },
  {
    name: 'fanout:FILE orchestrator.agent',
    is: 'default',
    begin: (tried) => {
      const methods = writeFanout(tried.folder, { orchestrator: tried.kind.label })
      return began(tried, { config: configFile(tried), methods })
    },
  },
  {
    name: '--agent orchestrator=NAME of fanout:FILE, above the agent that the file names',
    begin: (tried) => {
      const { name, beside } = tried.kind
      const methods = writeFanout(tried.folder, { orchestrator: beside })
      const agent = [`orchestrator=${name}`]
      return began(tried, { ...optionsOf(tried), methods, agents: beside, agent })
    },
  },
]

/** Writes a graph of one step, whose agent has the first provider and whose run places the step at the second, if there is one. */
function writeGraph({ folder }: Tried, provider: object, placed?: object): string {
  const file = join(folder, 'graph.json')
  const document = {
    version: '0.5',
    providers: { own: provider, ...(placed && { placed }) },
    agents: { maker: { provider: 'own' } },
    tasks: { make: { agent_ref: 'maker', prompt: 'Solve the task.' } },
    run: {
      workflow: { steps: [{ id: 'make', task: 'make' }] },
      ...(placed && { placement: { steps: { make: { provider: 'placed' } } } }),
    },
  }
  writeFileSync(file, JSON.stringify(document))
  return `dag:${file}`
}

/** The provider by which a document itself names the server of an agent; any other agent by its label in the config file. */
function providerOf({ kind: { provider, name, label } }: Tried): object {
  const model = name.slice(provider.length + 1)
  const [url, variable] = [process.env.OPENAI_COMPATIBLE_BASE_URL, 'OPENAI_COMPATIBLE_API_KEY']
  if (provider === 'openai-compatible')
    return { kind: 'http_remote', config: { base_url: url, model, key_variable: variable } }
  if (provider === 'ollama')
    return { kind: 'local_ollama', config: { model, base_url: process.env.OLLAMA_HOST } }
  return { kind: 'bench_agent', config: { agent: label } }
}
