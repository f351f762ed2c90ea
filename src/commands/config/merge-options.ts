import type { Budgets } from '../../schema/limits.ts'
import {
  flagOf,
  leadingSetting,
  type SettingIn,
  settings,
  settingsIn,
} from '../../schema/settings/settings.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { type ConfigFile, readConfig } from './config-file.ts'
import { type RunOptions, toOptionText } from './run-options.ts'

/** The options of a run, from the command line and the config file. */
export interface MergedOptions {
  /** The file's defaults, overridden by the command line, in the form of the command line. */
  options: RunOptions
  config: ConfigFile | undefined
  /** Whether the value of an option comes from the file. */
  isFromFile(option: keyof RunOptions): boolean
}

/** Reads the file of `--config` and overrides its values with the command line. Throws `UserError`. */
export function mergeOptions(flags: RunOptions): MergedOptions {
  const config = typeof flags.config === 'string' ? readConfig(flags.config) : undefined
  if (config && flags.resume !== undefined)
    throw new UserError({
      where: `--config ${config.file}`,
      what: 'conflicts with --resume',
      fix: 'Remove it: a run keeps the settings that it began with, which are in run.json.',
    })
  const defaults = config ? configOptions(config, flags) : {}
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => isSet(value)))
  const secret = [...(config?.config.secrets ?? []), ...(flags.secret ?? [])]
  return {
    options: { ...defaults, ...given, secret },
    config,
    isFromFile: (option) => Object.hasOwn(defaults, option) && !Object.hasOwn(given, option),
  }
}

/** Does something with merged options; the problems that it throws name their places in the config file. */
export async function withLocatedProblems<T>(given: MergedOptions, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.problems.map((problem) => locateProblem(given, problem)))
  }
}

/** Replaces the option in a problem by the line of the config file, if the option's value comes from there. */
export function locateProblem({ config, isFromFile }: MergedOptions, problem: Problem): Problem {
  const found = leadingSetting(problem.where)
  if (!config || !found || found.name === 'noConfig' || !isFromFile(found.name)) return problem
  return { ...problem, where: `${config.where('run', found.name)}${found.rest}` }
}

/** Returns the limits of the run and of its methods from the file. `entryOf` maps a method's label to its entry in the file. */
export function configBudgets(
  config: ConfigFile | undefined,
  labels: readonly string[],
  entryOf: (label: string) => string | undefined,
): Budgets {
  const { limits = {}, methods = {} } = config?.config ?? {}
  const own = labels.map((label) => [label, { ...limits.method, ...methods[entryOf(label) ?? '']?.budget }])
  return { run: { ...limits.run }, methods: Object.fromEntries(own) }
}

/** Returns the file's values as options. Its `agents` and `judges` apply in live mode only. */
function configOptions({ config }: ConfigFile, flags: RunOptions): RunOptions {
  const { agents, judges, ...run } = config.run ?? {}
  const mode = flags.dev ? 'dev' : (flags.mode ?? run.mode)
  const { mode: _, ...withoutMode } = run
  const own = {
    ...(flags.dev ? withoutMode : run),
    ...(mode === 'live' && agents !== undefined && { agents }),
    ...(mode === 'live' && judges !== undefined && { judges }),
  }
  const used = (Object.entries(own) as [SettingIn<'file'>, unknown][]).filter(
    ([name]) => !flags.part || name === 'endBlocked' || settings[name].in.some((place) => place === 'part'),
  )
  return Object.fromEntries(used.map(([option, value]) => [option, toOptionText(option, value)]))
}

/** Whether an option is set. An option that may be repeated is an empty list by default. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Returns a problem for each given option that needs `--resume`, if that is missing. */
export function resumeOnlyProblems(options: RunOptions): Problem[] {
  if (options.resume !== undefined) return []
  const given = settingsIn('resumed').filter((name) => options[name])
  return given.map((name) => ({
    where: flagOf(name),
    what: 'requires --resume',
    fix: `Name the run: --resume RUN ${flagOf(name)}.`,
  }))
}

/** Returns a problem for each given option that is fixed when a run starts, so that `--resume` cannot change it; `--extend` can change some. */
export function fixedOptionProblems(
  options: RunOptions,
  { by = '--resume', free = [] }: { by?: string; free?: readonly SettingIn<'fixed'>[] } = {},
): Problem[] {
  const given = settingsIn('fixed').filter((name) => isSet(options[name]) && !free.includes(name))
  return given.map((name) => ({
    where: flagOf(name),
    what: `conflicts with ${by}`,
    fix: 'A resumed run keeps its settings. Remove the option, or start a new run.',
  }))
}
