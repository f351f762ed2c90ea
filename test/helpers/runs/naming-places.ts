import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/api.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { confirmCost, printEstimate } from '../../../src/commands/session/dry-run.ts'
import { executeRun } from '../../../src/commands/session/execute.ts'
import { digest } from '../../../src/text/canonical-json.ts'
import type { KindOfAgent } from '../agents/kinds-of-agents.ts'
import { writeFanout } from '../fanout/naming-file.ts'
import { writeDocumentMethod } from './document-method.ts'

/** The options with which a place is tried. */
export interface Tried {
  kind: KindOfAgent
  mode: 'dev' | 'live'
  /** Text of a config file that names all agents. */
  config: string
  /** For files of the place's own. */
  folder: string
}

/** A place where a run's agent can be named. Whoever adds such a place to bench adds it here. */
export interface NamingPlace {
  name: string
  /** `default`: only for live mode, so that in dev mode simulated agents answer. `mixed`: a simulated agent answers as well. */
  is?: 'default' | 'mixed'
  /** Modes that can be tried; both where absent. */
  only?: 'dev'
  /** It never asks an agent. */
  asksNobody?: true
  /** Begins what the place is part of; gives the run folder, where one is made. */
  begin(tried: Tried): Promise<string | undefined>
}

const plan = { tasks: 'ferry-morning', methods: 'baseline', sandbox: 'none', parallel: '1' }
const tools = () => ({ signal: new AbortController().signal, onEvent: () => {} })

/** Runs with these options; live ones without a sandbox. */
async function began({ mode, folder }: Tried, options: RunOptions): Promise<string> {
  const out = join(folder, 'run')
  await executeRun({ ...plan, mode, out, ...options }, tools())
  return out
}

function configFile({ folder, config }: Tried, more = ''): string {
  const path = join(folder, 'bench.config.yaml')
  writeFileSync(path, `${config}${more}`)
  return path
}

/** A name that needs the config file: a program of the user's own. */
const optionsOf = (tried: Tried): RunOptions =>
  tried.kind.provider === 'cli' ? { config: configFile(tried) } : {}

/** A method of several roles, which asks its auditor. */
const several = 'sequential[maxInner=1,maxOuter=1]'

export const namingPlaces: readonly NamingPlace[] = [
  {
    name: '--agents NAME',
    begin: (tried) => began(tried, { ...optionsOf(tried), agents: tried.kind.name }),
  },
  {
    name: '--agents A,NAME',
    begin: (tried) =>
      began(tried, { ...optionsOf(tried), agents: `${tried.kind.beside},${tried.kind.name}` }),
  },
  {
    name: '--agents LABEL',
    begin: (tried) => began(tried, { config: configFile(tried), agents: tried.kind.label }),
  },
  {
    name: '--agent ROLE=NAME',
    begin: (tried) =>
      began(tried, { ...optionsOf(tried), agents: tried.kind.beside, agent: [`solver=${tried.kind.name}`] }),
  },
  {
    name: '--agent ROLE=NAME beside a simulated agent',
    is: 'mixed',
    begin: (tried) =>
      began(tried, {
        ...{ ...optionsOf(tried), methods: several },
        ...{ agents: 'simulated', agent: [`auditor=${tried.kind.name}`] },
      }),
  },
  {
    name: '--agent ROLE=LABEL',
    begin: (tried) =>
      began(tried, {
        ...{ config: configFile(tried), agents: tried.kind.beside },
        agent: [`solver=${tried.kind.label}`],
      }),
  },
  {
    name: 'run.agents of the config file',
    is: 'default',
    begin: (tried) => began(tried, { config: configFile(tried, `run: { agents: ${tried.kind.label} }\n`) }),
  },
  {
    name: 'roles of the config file',
    is: 'default',
    begin: (tried) => began(tried, { config: configFile(tried, `roles: { solver: ${tried.kind.label} }\n`) }),
  },
  {
    name: 'methods.METHOD.roles of the config file',
    is: 'default',
    begin: (tried) =>
      began(tried, {
        config: configFile(tried, `methods: { baseline: { roles: { solver: ${tried.kind.label} } } }\n`),
      }),
  },
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
  {
    name: 'run({ agents })',
    begin: async ({ kind, mode, ...tried }) => {
      const config = configFile({ kind, mode, ...tried })
      const out = join(tried.folder, 'run')
      await run({ ...apiPlan, config, mode, out, agents: kind.label })
      return out
    },
  },
  {
    name: 'run({ agentByRole })',
    begin: async ({ kind, mode, ...tried }) => {
      const config = configFile({ kind, mode, ...tried })
      const out = join(tried.folder, 'run')
      await run({ ...apiPlan, config, mode, out, agents: kind.beside, agentByRole: { solver: kind.label } })
      return out
    },
  },
  {
    name: '--instruction FILE --agents NAME',
    begin: (tried) => {
      const instruction = join(tried.folder, 'wish.md')
      writeFileSync(instruction, 'Say 42.\n')
      return began(tried, {
        ...{ ...optionsOf(tried), tasks: undefined, instruction, agents: tried.kind.name },
      } as RunOptions)
    },
  },
  {
    name: '--dry-run',
    asksNobody: true,
    begin: async (tried) => {
      await printEstimate({ ...optionsOf(tried), ...plan, ...asked(tried) }, tools().signal)
      return undefined
    },
  },
  {
    name: '--confirm-above USD',
    asksNobody: true,
    begin: async (tried) => {
      await confirmCost(
        { ...optionsOf(tried), ...plan, ...asked(tried), epochs: '2', confirmAbove: '1000000' },
        tools().signal,
      ).catch((error: Error) => {
        // The cost of a model on loopback is unknown, and no terminal can ask.
        if (!/the run may cost more/.test(error.message)) throw error
      })
      return undefined
    },
  },
  {
    name: '--resume RUN of a run in dev mode',
    only: 'dev',
    begin: async (tried) => {
      const out = await began({ ...tried, mode: 'dev' }, { agents: 'simulated' })
      const path = join(out, 'run.json')
      const { sum: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
      const changed = {
        ...manifest,
        simulated: tried.kind.isSimulated,
        agents: { '*': tried.kind.name },
        ...programOf(tried.kind),
      }
      writeFileSync(path, JSON.stringify({ ...changed, sum: digest(changed) }))
      for (const file of ['records.jsonl', 'steps.jsonl']) writeFileSync(join(out, file), '')
      await executeRun({ resume: out, trustCode: true }, tools())
      return out
    },
  },
]

const { tasks, methods, sandbox } = plan
const apiPlan = { tasks, methods, sandbox, parallel: 1 }
const asked = ({ kind, mode }: Tried): RunOptions => ({ mode, agents: kind.name })

/** Returns the fields of run.json for a program that the config file describes. */
const programOf = ({ provider, name }: KindOfAgent) =>
  provider === 'cli'
    ? {
        agents: { '*': `${name}=cli` },
        agentSettings: { [`${name}=cli`]: { program: { command: ['own-agent'], output: 'text' } } },
      }
    : {}

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
