import type { AgentProgram } from '../../schema/agent/agent-program.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { commandProblem, readCommand } from '../acp/known-agents.ts'
import type { CliKind } from '../cli/kind.ts'
import type { Family } from '../http/family.ts'
import type { Provider } from '../provider.ts'

/** Makes a provider of a family of models over HTTP. Loads its code with the first agent and the vendor's library later. */
export function httpProvider(family: Family): Provider {
  const { name, summary } = family
  return {
    name,
    reaches: 'model',
    tools: 'called',
    summary,
    model: 'MODEL',
    settings: ['baseUrl', 'keyVariable', 'maxOutput', 'structured', ...family.modelSettings],
    range: family.range,
    create: async (model, { run = '', prices, endpoints, asked, providerTools }) => {
      const { createHttpAgent } = await import('../http/http-agent.ts')
      const settings = endpoints?.[name]
      return createHttpAgent(family, model, { run, prices, settings, asked, providerTools })
    },
  }
}

/** Local models of Ollama. */
export const ollama: Provider = {
  name: 'ollama',
  reaches: 'model',
  tools: 'called',
  summary:
    'A local model of Ollama; without a name, models that fit the graphics memory, one for each kind of work.',
  model: '[MODEL]',
  settings: ['baseUrl', 'maxOutput', 'structured', 'temperature', 'seed', 'reasoning', 'providerOptions'],
  range: {
    efforts: ['none', 'low', 'medium', 'high'],
    insteadOfBudget: 'Write an effort: none, low, medium, high; or providerOptions: { think: true }.',
  },
  create: async (model, { run = '', prices, endpoints, asked }) => {
    const { createOllama } = await import('../ollama/ollama-agent.ts')
    return createOllama(model, {
      run,
      prices,
      setting: asked?.setting,
      address: endpoints?.ollama?.baseUrl,
      limits: endpoints?.ollama?.limits,
    })
  },
}

/** Makes a provider of an agent CLI. Loads its code with the first agent. */
export function cliProvider(kind: CliKind): Provider {
  const { name, summary } = kind
  return {
    name,
    reaches: 'program',
    tools: 'own',
    summary,
    model: 'MODEL',
    settings: ['baseUrl', 'keyVariable', ...(kind.range ? (['reasoning'] as const) : [])],
    ...(kind.range && { range: kind.range }),
    create: async (model, { run = '', sandbox, prices, endpoints, asked, providerTools }) => {
      const { createCliAgent } = await import('../cli/cli-agent.ts')
      const { reasoning } = asked?.setting ?? {}
      const settings = endpoints?.[name]
      return createCliAgent(kind, model, { run, sandbox, prices, reasoning, settings, providerTools })
    },
  }
}

/** Agent CLIs that the config file describes. */
export const cli: Provider = {
  name: 'cli',
  reaches: 'program',
  tools: 'own',
  summary: 'Any other agent CLI; the config file gives its command and the paths in its JSON output.',
  model: '[MODEL]',
  settings: ['program', 'baseUrl', 'keyVariable'],
  needsProgram: true,
  create: async (model, { run = '', sandbox, prices, endpoints, program, providerTools }) => {
    if (!program) throw new UserError(missingProgramProblem('agent cli'))
    const [{ createCliAgent }, { configuredCli }] = await Promise.all([
      import('../cli/cli-agent.ts'),
      import('../cli/configured.ts'),
    ])
    const settings = endpoints?.cli
    const environment = { run, sandbox, prices, settings, providerTools }
    return createCliAgent(configuredCli(program), model, environment)
  },
}

/** Any agent that speaks the Agent Client Protocol. */
export const acp: Provider = {
  name: 'acp',
  reaches: 'program',
  tools: 'own',
  summary: 'Any agent that speaks the Agent Client Protocol, by its command: acp:"gemini --acp".',
  model: '[COMMAND]',
  settings: ['program', 'baseUrl', 'keyVariable'],
  namesProgram: true,
  create: async (text, { run = '', sandbox, prices, endpoints, program, providerTools, onWarning }) => {
    const { createAcpAgent } = await import('../acp/acp-agent.ts')
    const environment = { run, sandbox, prices, settings: endpoints?.acp, providerTools, onWarning }
    const name = text === '' ? 'acp' : `acp:${text}`
    // With a program of the config file, a model stands after the colon.
    if (program) return createAcpAgent(program, text, { ...environment, name })
    const command = readCommand(text)
    if ('problem' in command) throw new UserError(command.problem)
    const { words, env, model } = command
    const problem = commandProblem(command)
    return createAcpAgent({ command: words, env }, model, { ...environment, name, problem })
  },
}

/** The problem of a `cli` agent without a program. */
const missingProgramProblem = (where: string): Problem => ({
  where,
  what: 'has no program',
  fix: 'Set agents.NAME.program in bench.config.yaml; see bench help providers.',
})

/** What the program of an agent of `acp` has; the rest is in the protocol. */
const acpFields = ['command', 'env', 'home', 'keyInside', 'models', 'window', 'wires']

/** Returns the problems of an agent's program in the config file. `where` gives the place of one of its fields. */
export function programProblems(
  {
    provider,
    model,
    program,
  }: { provider: string; model?: string | undefined; program?: AgentProgram | undefined },
  where: (...field: string[]) => string,
): Problem[] {
  const isAcp = provider === acp.name
  if (!program)
    return provider === cli.name || (isAcp && model === undefined) ? [missingProgramProblem(where())] : []
  if (isAcp)
    return Object.keys(program)
      .filter((field) => !acpFields.includes(field))
      .map((field) => ({
        where: where('program', field),
        what: 'is for programs that print their answer, but this one sends it over the protocol',
        fix: `Leave it out. A program of "acp" has ${acpFields.join(', ')}.`,
      }))
  const { output, text } = program
  return output !== 'text' && text === undefined
    ? [
        {
          where: where('program', 'text'),
          what: 'is missing: the path of the answer',
          fix: 'Set it, or `output: text`.',
        },
      ]
    : []
}
