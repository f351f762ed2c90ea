import { z } from 'zod'
import type { KnownStrategy } from '../loop/plan/known-strategy.ts'
import { isFile, readMethodText } from '../loop/plan/method-text.ts'
import { rolesOf } from '../loop/plan/row-agents.ts'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { flowMermaid, flowText } from '../reports/tables/flow-diagram.ts'
import { matchUnits } from '../schema/ledger/budget-match.ts'
import type { Strategy } from '../strategy.ts'
import { UserError } from '../text/errors.ts'
import { builtInStrategies } from './methods/built-in-strategies.ts'
import { resolveOptions } from './methods/documents.ts'
import { strategyFromFile } from './methods/own-strategy.ts'
import { shippedDocuments } from './methods/shipped-documents.ts'

interface OptionSchema {
  type?: string
  default?: unknown
  enum?: unknown[]
  description?: string
  minimum?: number
  maximum?: number
}

/** `bench methods [name]`: lists the strategies, or describes one with its diagram, roles and options. */
export default async function methods(
  name: string | undefined,
  options: { format?: string; json?: boolean },
): Promise<number> {
  const { format = options.json ? 'json' : 'text' } = options
  if (format !== 'text' && format !== 'json')
    throw new UserError({
      where: `--format ${format}`,
      what: 'is not a format of bench methods',
      fix: 'Use text or json.',
    })
  const described = (await findStrategies(name)).map(({ strategy }) =>
    describeStrategy(strategy, name === undefined || !isFile(name)),
  )
  if (format === 'json') process.stdout.write(`${JSON.stringify(described, null, 2)}\n`)
  else if (name === undefined)
    for (const method of described) process.stdout.write(`${method.name.padEnd(16)} ${method.summary}\n`)
  else for (const method of described) process.stdout.write(textOf(method))
  return 0
}

async function findStrategies(name: string | undefined): Promise<KnownStrategy[]> {
  const written = readMethodText(name ?? '')
  if (name !== undefined && written?.document !== undefined)
    throw new UserError({
      where: `methods ${name}`,
      what: 'names a document, but bench methods describes methods',
      fix: `Leave out the document: bench methods ${written.name}.`,
    })
  const [, bare] = /^([^[]+)\[.*$/s.exec(name ?? '') ?? []
  if (bare !== undefined)
    throw new UserError({
      where: `methods ${name}`,
      what: 'has options, but bench methods describes methods without options',
      fix: `Leave out the brackets: bench methods ${bare}.`,
    })
  if (name !== undefined && isFile(name)) return [await strategyFromFile(name, `methods ${name}`)]
  const known = builtInStrategies()
  if (name === undefined) return known
  const found = known.filter(({ strategy }) => strategy.name === name || strategy.aliases?.includes(name))
  if (found.length > 0) return found
  const names = known.map(({ strategy }) => strategy.name)
  throw new UserError(unknownName(`methods ${name}`, 'method', name, names, 'bench methods'))
}

type MethodDescription = ReturnType<typeof describeStrategy>

/** The option `match` of every strategy that makes a number of attempts. */
const matchOption = (attempts: string): OptionSchema => ({
  type: 'string',
  default: null,
  description: `LABEL[:${matchUnits.join('|')}] of another method of the run: makes as many ${attempts} as that method's budget pays for`,
})

/** Describes a strategy as `--format json` prints it. The declaration is for the default options. */
function describeStrategy(strategy: Strategy, isBuiltIn: boolean) {
  const { name, aliases = [], summary, attempts, declaration: given } = strategy
  const defaults = resolveOptions(strategy, strategy.options.parse({}), isBuiltIn)
  const roles = rolesOf(strategy, defaults)
  const declaration = typeof given === 'function' ? given(defaults) : given
  const schema = z.toJSONSchema(strategy.options, { io: 'input', unrepresentable: 'any' })
  const options = Object.entries((schema as { properties?: Record<string, OptionSchema> }).properties ?? {})
  return {
    ...{ name, aliases, summary, roles },
    diagram: declaration ? flowText(declaration.flow) : null,
    mermaid: declaration ? flowMermaid(declaration.flow, roles) : null,
    declaration: declaration ?? null,
    // Options of type object cannot be typed in text; bench fills them in.
    options: {
      ...Object.fromEntries(options.filter(([, { type }]) => type !== 'object')),
      ...(attempts !== undefined && { match: matchOption(attempts) }),
    },
    // The option that the text after `NAME:` sets.
    document: strategy.document ?? null,
    documents: shippedDocuments(strategy, isBuiltIn),
  }
}

function textOf(method: MethodDescription): string {
  const { declaration, mermaid } = method
  const options = Object.entries(method.options).map(([name, option]) => optionText(name, option))
  return [
    `${method.name}: ${method.summary}`,
    ...(method.aliases.length > 0 ? [`also known as ${method.aliases.join(', ')}`] : []),
    '',
    `  ${method.diagram ?? 'No diagram: the strategy has no declaration.'}`,
    '',
    ...(declaration
      ? [
          `Ends when    ${declaration.stop}`,
          `Agents read  ${declaration.context}`,
          ...(declaration.onDemand?.length ? [`On demand    ${declaration.onDemand.join(', ')}`] : []),
          '',
        ]
      : []),
    'Roles',
    ...Object.entries(method.roles).map(([role, work]) => `  ${role.padEnd(18)} ${work}`),
    '',
    options.length > 0 ? `Options (--methods ${method.name}[option=value,…])` : 'No options.',
    ...options,
    ...documentLines(method),
    ...(mermaid === null ? [] : ['', 'Mermaid', ...mermaid.split('\n').map((line) => `  ${line}`)]),
    '',
  ].join('\n')
}

/** Says how a document is named, and lists those that come with the method. */
function documentLines({ name, document, documents }: MethodDescription): string[] {
  if (document === null) return []
  const wide = Math.max(17, ...documents.map((one) => one.name.length))
  return [
    '',
    `Documents (--methods ${name}:FILE, short for ${name}[${document}=FILE])`,
    ...(documents.length > 0 ? [`  These come with bench: --methods ${name}:NAME`] : []),
    ...documents.map((one) => `  ${one.name.padEnd(wide)} ${one.description}`.trimEnd()),
  ]
}

function optionText(name: string, option: OptionSchema): string {
  const { minimum, maximum } = option
  const isBound = (end: number | undefined) => end !== undefined && Math.abs(end) < Number.MAX_SAFE_INTEGER
  const range =
    isBound(minimum) || isBound(maximum) ? ` ${minimum ?? ''}..${isBound(maximum) ? maximum : ''}` : ''
  const kind = option.enum ? option.enum.join(' or ') : `${option.type ?? 'value'}${range}`
  return `  ${name.padEnd(18)} ${kind.padEnd(24)} default ${option.default === null ? 'none' : JSON.stringify(option.default)}${option.description ? `  ${option.description}` : ''}`
}
