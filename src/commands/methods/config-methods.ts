import { existsSync } from 'node:fs'
import { z } from 'zod'
import { type BaseOptions, type KnownStrategy, parseMethod } from '../../loop/plan/method-spec.ts'
import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { isFile } from './own-strategy.ts'

/** What is wrong with the methods that a config file makes, by their names, whether a run uses them or not. */
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
  const name = strategy ?? entry
  const where = config.where('methods', entry, ...(strategy === undefined ? [] : ['strategy']))
  if (isFile(name))
    return existsSync(name)
      ? []
      : [{ where, what: `there is no file ${name}`, fix: 'A path starts where bench is called.' }]
  const parsed = parseMethod(name, known.map(withOptionalOptions), baseOptions(config, entry))
  if (!('problems' in parsed)) return []
  const names = known.flatMap(({ strategy: { name, aliases = [] } }) => [name, ...aliases])
  const isUnnamed = strategy === undefined && !names.includes(entry)
  const fix = `Write strategy: and one of ${names.join(', ')}, or a file.`
  if (isUnnamed) return parsed.problems.map((problem) => ({ ...problem, where, fix }))
  const typed = `--methods ${name}`
  return parsed.problems.map((problem) => (problem.where === typed ? { ...problem, where } : problem))
}

/** The strategy with each option looked at by itself: the command line may yet say the others. */
function withOptionalOptions(known: KnownStrategy): KnownStrategy {
  const { options } = known.strategy
  if (!(options instanceof z.ZodObject)) return known
  return { ...known, strategy: { ...known.strategy, options: z.object(options.shape).partial() } }
}

/** The options of a file's entry, with where they stand. */
export function baseOptions(
  config: ConfigFile | undefined,
  entry: string | undefined,
): BaseOptions | undefined {
  const options = entry === undefined ? undefined : config?.config.methods?.[entry]?.options
  if (!config || !options) return undefined
  return { options, where: (option) => config.where('methods', entry ?? '', 'options', option) }
}
