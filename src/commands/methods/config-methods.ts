import { existsSync } from 'node:fs'
import { z } from 'zod'
import { type BaseOptions, type KnownStrategy, parseMethod } from '../../loop/plan/method-spec.ts'
import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { isFile } from './own-strategy.ts'

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
  const name = strategy ?? entry
  const where = config.where('methods', entry, ...(strategy === undefined ? [] : ['strategy']))
  if (isFile(name))
    return existsSync(name)
      ? []
      : [{ where, what: `there is no file ${name}`, fix: 'Paths are relative to the working folder.' }]
  const parsed = parseMethod(name, known.map(withOptionalOptions), baseOptions(config, entry))
  if (!('problems' in parsed)) return []
  const names = known.flatMap(({ strategy: { name, aliases = [] } }) => [name, ...aliases])
  const isUnnamed = strategy === undefined && !names.includes(entry)
  const fix = `Add strategy: with one of ${names.join(', ')}, or a file.`
  if (isUnnamed) return parsed.problems.map((problem) => ({ ...problem, where, fix }))
  const typed = `--methods ${name}`
  return parsed.problems.map((problem) => (problem.where === typed ? { ...problem, where } : problem))
}

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
  const options = entry === undefined ? undefined : config?.config.methods?.[entry]?.options
  if (!config || !options) return undefined
  return { options, where: (option) => config.where('methods', entry ?? '', 'options', option) }
}
