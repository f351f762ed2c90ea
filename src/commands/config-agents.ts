import { strategies } from '../../strategies/index.ts'
import { lacksProgram, providers } from '../agents/registry.ts'
import type { Problem } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import { secretsOf } from '../redact.ts'
import type { ConfigFile } from './config-file.ts'

/** What is wrong with the providers, agents and roles that a config file names, whether a run uses them or not. */
export function configAgentProblems({ config, where }: ConfigFile): Problem[] {
  const problems: Problem[] = []
  const names = providers.map(({ name }) => name)
  const isKnown = (name: string, at: string) => {
    if (names.includes(name)) return true
    problems.push(unknownName(at, 'provider', name, names, 'bench agents'))
    return false
  }
  for (const [name, setting] of Object.entries(config.providers ?? {})) {
    if (!isKnown(name, where('providers', name))) continue
    const { settings = [] } = providers.find((one) => one.name === name) ?? {}
    for (const field of Object.keys(setting))
      if (settings.length === 0 || (field !== 'limits' && !settings.some((known) => known === field)))
        problems.push({
          where: where('providers', name, field),
          what: `"${name}" takes no such setting`,
          fix: settings.length === 0 ? 'Leave it out.' : 'See docs/guides/config.md.',
        })
  }
  for (const [label, agent] of Object.entries(config.agents ?? {})) {
    if (names.includes(label))
      problems.push({
        where: where('agents', label),
        what: 'is the name of a provider',
        fix: 'Call the agent something else.',
      })
    if (typeof agent === 'string') continue
    isKnown(agent.provider, where('agents', label, 'provider'))
    const needsProgram = providers.some((one) => one.name === agent.provider && one.needsProgram)
    if (needsProgram && !agent.program) problems.push(lacksProgram(where('agents', label)))
    for (const { name } of secretsOf(agent.program?.env ?? {}).secrets)
      problems.push({
        where: where('agents', label, 'program', 'env', name),
        what: 'is a key, and a key stands in no file',
        fix: `Name the variable that holds it as keyVariable, and write keyInside: ${name}.`,
      })
  }
  const roles = new Set(strategies.flatMap(({ roles }) => Object.keys(roles)))
  const own = Object.values(config.methods ?? {}).some(({ strategy = '' }) => /\.m?js$/.test(strategy))
  // A strategy of the user's own has roles that only it knows.
  for (const role of own ? [] : Object.keys(config.roles ?? {}))
    if (!roles.has(role) && !/\.m?js/.test(String(config.run?.methods ?? '')))
      problems.push(unknownName(where('roles', role), 'role', role, [...roles], 'bench methods'))
  return problems
}
