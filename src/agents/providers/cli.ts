import { type Problem, UserError } from '../../text/errors.ts'
import type { CliKind } from '../cli/kinds/kind.ts'
import type { Provider } from '../provider.ts'

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
      import('../cli/kinds/configured.ts'),
    ])
    const settings = endpoints?.cli
    const environment = { run, sandbox, prices, settings, providerTools }
    return createCliAgent(configuredCli(program), model, environment)
  },
}

/** The problem of a `cli` agent without a program. */
export const missingProgramProblem = (where: string): Problem => ({
  where,
  what: 'has no program',
  fix: 'Set agents.NAME.program in bench.config.yaml; see docs/guides/providers.md.',
})
