import { z } from 'zod'
import { valueAt } from '../base/grouping.ts'
import type { KnownStrategy } from '../loop/plan/method-options.ts'
import { isFile, readMethodText } from '../loop/plan/method-text.ts'
import { rolesOf } from '../loop/plan/row-agents.ts'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { flowMermaid, flowText } from '../reports/drawing/flow.ts'
import { machineMermaid, machineText } from '../reports/drawing/machine.ts'
import { alignedTable } from '../reports/words/aligned-table.ts'
import { matchUnits } from '../schema/ledger/budget-match.ts'
import { Machine } from '../schema/machine/machine-file.ts'
import type { Config } from '../schema/run/config.ts'
import type { Strategy } from '../strategy.ts'
import { problemAt, UserError } from '../text/errors.ts'
import { inWords } from '../text/issue-text.ts'
import { withNear } from '../text/near-word.ts'
import { findConfig, readConfig } from './config/config-file.ts'
import { builtInStrategies, shippedDocuments } from './methods/built-in-strategies.ts'
import { resolveOptions } from './methods/documents.ts'
import { strategyFromFile } from './methods/own-strategy.ts'

interface OptionSchema {
  type?: string
  anyOf?: OptionSchema[]
  default?: unknown
  enum?: unknown[]
  description?: string
  minimum?: number
  maximum?: number
}

/** `bench methods [name]`: lists the strategies, or describes one with its diagram, roles and options. */
export default async function methods(
  name: string | undefined,
  options: { format?: string; json?: boolean; personas?: boolean },
): Promise<number> {
  const { format = options.json ? 'json' : 'text' } = options
  if (format !== 'text' && format !== 'json')
    throw new UserError(
      problemAt(
        `--format ${format}`,
        'is not a format of bench methods',
        withNear(format, ['text', 'json'], 'Use text or json.'),
      ),
    )
  const typed = readMethodText(name ?? '')
  const method = typed?.document === undefined ? name : typed.name
  const strategies = (await findStrategies(method, name)).map(({ strategy }) => strategy)
  if (options.personas) {
    const found = strategies.flatMap((one) =>
      personaUses(one, method === undefined || !isFile(method), typed?.document),
    )
    process.stdout.write(format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : personasText(found))
    return 0
  }
  if (format === 'text' && name === undefined) {
    // Without reading what each method's default document says.
    for (const one of strategies) process.stdout.write(`${one.name.padEnd(16)} ${one.summary}\n`)
    return 0
  }
  const described = strategies.map((strategy) =>
    describeStrategy(strategy, method === undefined || !isFile(method), typed?.document),
  )
  if (format === 'json') process.stdout.write(`${JSON.stringify(described, null, 2)}\n`)
  else for (const one of described) process.stdout.write(textOf(one))
  return 0
}

/** Returns the strategies to describe. `typed` is the name with a document, as a person typed it. */
async function findStrategies(name: string | undefined, typed: string | undefined): Promise<KnownStrategy[]> {
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
  if (typed !== name)
    for (const { strategy } of found)
      if (strategy.document === undefined)
        throw new UserError(
          problemAt(`methods ${typed}`, `${name} takes no document`, `Leave it out: bench methods ${name}.`),
        )
  if (found.length > 0) return found
  const names = known.map(({ strategy }) => strategy.name)
  throw new UserError(unknownName(`methods ${name}`, 'method', name, names, 'bench methods'))
}

interface PersonaUse {
  name: string
  file: string
  sha256: string
  /** The documents that name it, as after `--methods`. */
  documents: string[]
}

/** Returns the personas of a document, or of all that come with a strategy. One that several documents name is there once. */
function personaUses(strategy: Strategy, isBuiltIn: boolean, document?: string): PersonaUse[] {
  const { name, document: option } = strategy
  if (option === undefined) return []
  const names =
    document === undefined ? shippedDocuments(strategy, isBuiltIn).map((one) => one.name) : [document]
  const uses = new Map<string, PersonaUse>()
  for (const one of names) {
    const options = strategy.options.parse({ [option]: one }, inWords)
    const machine = machineIn(resolveOptions(strategy, options, isBuiltIn, folderAgents(one)))
    for (const persona of machine ? personasOf(machine) : [])
      valueAt(uses, JSON.stringify(persona), () => ({ ...persona, documents: [] })).documents.push(
        `${name}:${one}`,
      )
  }
  return [...uses.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function personasText(found: readonly PersonaUse[]): string {
  if (found.length === 0) return 'No personas: only documents of workflows of states name some.\n'
  const rows = found.map(({ name, file, documents }) => ({ name, file, documents: documents.join(', ') }))
  return `${alignedTable({ name: 'persona', file: 'file', documents: 'named by' }, rows).join('\n')}\n`
}

type MethodDescription = ReturnType<typeof describeStrategy>

const matchOption = (attempts: string): OptionSchema => ({
  type: 'string',
  default: null,
  description: `LABEL[:${matchUnits.join('|')}] of another method of the run: makes as many ${attempts} as that method's budget pays for`,
})

const toolsOption: OptionSchema = {
  type: 'string',
  default: null,
  description:
    'tools of its agents, in place of --tools: read+list+write+check, memory, or names of the config file; none',
}

/** Describes a strategy as `--format json` prints it. The declaration is for the default options, with the document that is named. */
function describeStrategy(strategy: Strategy, isBuiltIn: boolean, document?: string) {
  const { name, aliases = [], summary, attempts, declaration: given } = strategy
  const named =
    strategy.document === undefined || document === undefined ? {} : { [strategy.document]: document }
  const defaults = resolveOptions(
    strategy,
    strategy.options.parse(named, inWords),
    isBuiltIn,
    folderAgents(document),
  )
  const machine = machineIn(defaults)
  const roles = rolesOf(strategy, defaults)
  const declaration = typeof given === 'function' ? given(defaults) : given
  const schema = z.toJSONSchema(strategy.options, { io: 'input', unrepresentable: 'any' })
  const options = Object.entries((schema as { properties?: Record<string, OptionSchema> }).properties ?? {})
  return {
    ...{ name, aliases, summary, roles },
    diagram: declaration ? flowText(declaration.flow) : null,
    mermaid: machine
      ? machineMermaid(machine).trimEnd()
      : declaration
        ? flowMermaid(declaration.flow, roles)
        : null,
    states: machine ? machineText(machine) : null,
    personas: machine ? personasOf(machine) : null,
    declaration: declaration ?? null,
    // Bench fills in most options of type object, which cannot be typed in text.
    options: {
      ...Object.fromEntries(options.filter(([, option]) => isOfUser(option))),
      ...(attempts !== undefined && { match: matchOption(attempts) }),
      ...(!strategy.asksModels && !options.some(([option]) => option === 'tools') && { tools: toolsOption }),
    },
    // The option that the text after `NAME:` sets.
    document: strategy.document ?? null,
    documentWord: strategy.asksModels ? 'COMMAND' : 'FILE',
    documents: shippedDocuments(strategy, isBuiltIn),
  }
}

/** Returns the agents of the config file, which a document may name. */
function folderAgents(document: string | undefined): Config['agents'] {
  const config = document === undefined ? undefined : findConfig()
  return config === undefined ? undefined : readConfig(config).config.agents
}

const machineIn = (options: unknown): Machine | undefined =>
  Machine.safeParse((options as { machine?: unknown }).machine, { jitless: true }).data

const personasOf = ({ personas }: Machine) =>
  Object.entries(personas).map(([name, { file, sha256 }]) => ({ name, file, sha256 }))

/** Whether an option can be typed, and so is no object, or can be set in the config file. */
const isOfUser = ({ type, anyOf = [], description = '' }: OptionSchema) =>
  (type !== 'object' && anyOf.every((one) => one.type !== 'object')) || /config file only/.test(description)

function textOf(method: MethodDescription): string {
  const { declaration, mermaid } = method
  const options = Object.entries(method.options).map(([name, option]) => optionText(name, option))
  return [
    `${method.name}: ${method.summary}`,
    ...(method.aliases.length > 0 ? [`also known as ${method.aliases.join(', ')}`] : []),
    '',
    ...(method.states?.trimEnd().split('\n') ?? [
      `  ${method.diagram ?? 'No diagram: the strategy has no declaration.'}`,
    ]),
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

function documentLines({ name, document, documentWord: word, documents }: MethodDescription): string[] {
  if (document === null) return []
  const wide = Math.max(17, ...documents.map((one) => one.name.length))
  return [
    '',
    `${word === 'FILE' ? 'Documents' : 'Command'} (--methods ${name}:${word}, short for ${name}[${document}=${word}])`,
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
