import type { Tool } from '../../schema/tool/tool.ts'
import type { Problem } from '../../text/errors.ts'
import { secretsOf } from '../../text/redact.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { reservedNames } from './named-tools.ts'

/** Returns the problems of all tools in a config file that its schema cannot see, also of those that the run does not use. */
export function configToolProblems({ config, where }: ConfigFile): Problem[] {
  return Object.entries(config.tools ?? {}).flatMap(([name, tool]) => {
    const problems: Problem[] = []
    if (reservedNames.includes(name))
      problems.push({
        where: where('tools', name),
        what: `"${name}" is a word of --tools`,
        fix: 'Choose another name for the tool.',
      })
    if (tool.id !== undefined && tool.id !== name)
      problems.push({
        where: where('tools', name, 'id'),
        what: `must equal the name of the entry, ${name}`,
        fix: 'Leave it out.',
      })
    problems.push(...secretProblems(tool, (variable) => where('tools', name, 'config', 'env', variable)))
    return problems
  })
}

/** Returns a problem for each variable of a server that is a key by its name. */
export function secretProblems(tool: Tool, where: (variable: string) => string): Problem[] {
  const secrets = tool.kind === 'mcp' ? secretsOf(tool.config.env).secrets : []
  return secrets.map(({ name }) => ({
    where: where(name),
    what: `gives its server the key ${name}; no server of tools gets a key`,
    fix: 'Remove it: the server runs in the sandbox, without a network.',
  }))
}
