import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { BaseOptions, KnownStrategy } from '../../loop/plan/method-options.ts'
import { notAMethod, resolveMethod } from '../../loop/plan/method-spec.ts'
import { isFile, type MethodText, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { toolsText } from '../config/run-options.ts'

/** Returns the problems of all methods in a config file, by their names, whether a run uses them or not. */
export function configMethodProblems(
  config: ConfigFile,
  known: readonly KnownStrategy[],
): ReadonlyMap<string, Problem[]> {
  const entries = Object.entries(config.config.methods ?? {})
  const byEntry = entries.map(
    ([entry, { strategy }]) => [entry, problemsOf(config, entry, strategy, known)] as const,
  )
  return new Map(byEntry.filter(([, problems]) => problems.length > 0))
}

function problemsOf(
  config: ConfigFile,
  entry: string,
  strategy: string | undefined,
  known: readonly KnownStrategy[],
): Problem[] {
  const where = entryPlace(config, entry)
  const written = readMethodText(strategy ?? entry)
  if (!written) return [notAMethod(where)]
  const { name } = written
  if (isFile(name))
    return existsSync(name)
      ? []
      : [{ where, what: `there is no file ${name}`, fix: 'Paths are relative to the working folder.' }]
  const optional = known.map(withOptionalOptions)
  const own = { ...written, document: undefined }
  const parsed = resolveMethod(own, where, optional, baseOptions(config, entry))
  if (!('problems' in parsed)) return entryRoleProblems(config, entry, parsed.method.strategy, known)
  const names = known.flatMap(({ strategy: { name, aliases = [] } }) => [name, ...aliases])
  if (strategy !== undefined || names.includes(entry)) return parsed.problems
  const fix = `Add strategy: with one of ${names.join(', ')}, or a file.`
  return parsed.problems.map((problem) => ({ ...problem, where, fix }))
}

/** Whether a config file can be told which roles a method has, whatever its options: those of a document are in it. */
export const hasFixedRoles = ({ strategy }: KnownStrategy): boolean => strategy.document === undefined

function entryRoleProblems(
  config: ConfigFile,
  entry: string,
  name: string,
  known: readonly KnownStrategy[],
): Problem[] {
  const found = known.find(({ strategy }) => strategy.name === name)
  if (!found || !hasFixedRoles(found)) return []
  const roles = Object.keys(found.strategy.roles)
  return Object.keys(config.config.methods?.[entry]?.roles ?? {})
    .filter((role) => !roles.includes(role))
    .map((role) =>
      unknownName(
        config.where('methods', entry, 'roles', role),
        'role',
        role,
        roles,
        `bench methods ${name}`,
      ),
    )
}

/** Returns the place that names the strategy of an entry of the config file. */
export const entryPlace = (config: ConfigFile, entry: string): string =>
  config.where(
    'methods',
    entry,
    ...(config.config.methods?.[entry]?.strategy === undefined ? [] : ['strategy']),
  )

/** Makes every option of a strategy optional, so that the command line can add the others. */
function withOptionalOptions(known: KnownStrategy): KnownStrategy {
  const { options } = known.strategy
  if (!(options instanceof z.ZodObject)) return known
  return { ...known, strategy: { ...known.strategy, options: z.object(options.shape).partial() } }
}

/** Returns the options of an entry of the config file, with their places. */
export function baseOptions(
  config: ConfigFile | undefined,
  entry: string | undefined,
): BaseOptions | undefined {
  const settings = entry === undefined ? undefined : config?.config.methods?.[entry]
  if (!config || entry === undefined || !settings) return undefined
  const { options = {}, strategy, tools } = settings
  const text = strategy === undefined ? undefined : readMethodText(strategy)?.document
  return {
    options,
    where: (option) => config.where('methods', entry, 'options', option),
    ...(text !== undefined && { document: { text, where: entryPlace(config, entry) } }),
    ...(tools !== undefined && {
      tools: { text: toolsText(tools), where: config.where('methods', entry, 'tools') },
    }),
  }
}

/** Calls `read`. What it refuses in `option NAME` gets the place of that option: its line in the config file, or the method as typed. */
export function placeOptions<Result>(
  read: () => Result,
  {
    base,
    typed,
    where,
    document,
  }: { base: BaseOptions | undefined; typed: MethodText; where: string; document: string | undefined },
): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const pairs = splitMethods(typed.options)
    const isTyped = (option: string) =>
      pairs.some((pair) => pair.replace(/\s*=.*$/s, '') === option) ||
      (option === document && typed.document !== undefined)
    const placeOf = (_: string, option: string) =>
      base && Object.hasOwn(base.options, option) && !isTyped(option) ? base.where(option) : where
    throw new UserError(
      error.problems.map((one) => ({ ...one, where: one.where.replace(/^option (\w+)$/, placeOf) })),
    )
  }
}
