import { z } from 'zod'
import { UserError } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import { isFile, strategyFromFile } from './own-strategy.ts'
import { builtInStrategies } from './sources.ts'

interface OptionSchema {
  type?: string
  default?: unknown
  enum?: unknown[]
  description?: string
  minimum?: number
  maximum?: number
}

/** `bench methods [name]`: the strategies, or one with its roles and options. */
export default async function methods(
  name: string | undefined,
  options: { json?: boolean },
): Promise<number> {
  const known = name !== undefined && isFile(name) ? [await strategyFromFile(name)] : builtInStrategies()
  const chosen =
    name === undefined || isFile(name)
      ? known
      : known.filter(({ strategy }) => strategy.name === name || strategy.aliases?.includes(name))
  if (chosen.length === 0)
    throw new UserError(
      unknownName(
        `methods ${name}`,
        'method',
        name ?? '',
        known.map(({ strategy }) => strategy.name),
        'bench methods',
      ),
    )
  const described = chosen.map(({ strategy }) => ({
    name: strategy.name,
    aliases: strategy.aliases ?? [],
    summary: strategy.summary,
    diagram: strategy.diagram,
    roles: strategy.roles,
    options:
      (
        z.toJSONSchema(strategy.options, { io: 'input', unrepresentable: 'any' }) as {
          properties?: Record<string, OptionSchema>
        }
      ).properties ?? {},
  }))
  if (options.json) process.stdout.write(`${JSON.stringify(described, null, 2)}\n`)
  else if (name === undefined)
    for (const method of described) process.stdout.write(`${method.name.padEnd(14)} ${method.summary}\n`)
  else for (const method of described) process.stdout.write(describe(method))
  return 0
}

function describe(method: {
  name: string
  aliases: readonly string[]
  summary: string
  diagram: string
  roles: object
  options: Record<string, OptionSchema>
}): string {
  const rows = Object.entries(method.options).map(([key, option]) => {
    const range = [option.minimum, option.maximum].some(
      (end) => end !== undefined && Math.abs(end) < Number.MAX_SAFE_INTEGER,
    )
      ? ` ${option.minimum ?? ''}..${option.maximum !== undefined && option.maximum < Number.MAX_SAFE_INTEGER ? option.maximum : ''}`
      : ''
    const kind = option.enum ? option.enum.join(' or ') : `${option.type ?? 'value'}${range}`
    return `  ${key.padEnd(18)} ${kind.padEnd(24)} default ${JSON.stringify(option.default)}${option.description ? `  ${option.description}` : ''}`
  })
  return [
    `${method.name}: ${method.summary}`,
    ...(method.aliases.length > 0 ? [`also known as ${method.aliases.join(', ')}`] : []),
    '',
    `  ${method.diagram}`,
    '',
    'Roles',
    ...Object.entries(method.roles).map(([role, work]) => `  ${role.padEnd(18)} ${work}`),
    '',
    rows.length > 0 ? `Options (--methods ${method.name}[option=value,…])` : 'No options.',
    ...rows,
    '',
  ].join('\n')
}
