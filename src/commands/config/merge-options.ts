import type { Budgets } from '../../schema/limits.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { type ConfigFile, readConfig } from './config-file.ts'
import { type RunOptions, toOptionText } from './run-options.ts'

/** What was asked for, on the command line and in the file. */
export interface MergedOptions {
  /** The file's defaults with the command line's options over them, in the command line's words. */
  options: RunOptions
  config: ConfigFile | undefined
  /** Whether an option is the file's word. */
  isFromFile(option: keyof RunOptions): boolean
}

/** Reads the file that `--config` names, and puts the command line over what it says. Throws `UserError`. */
export function mergeOptions(flags: RunOptions): MergedOptions {
  const config = typeof flags.config === 'string' ? readConfig(flags.config) : undefined
  if (config && flags.resume !== undefined)
    throw new UserError({
      where: `--config ${config.file}`,
      what: 'does not go with --resume',
      fix: 'A run goes on as it was begun; all that its file said stands in run.json.',
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

/** The problem with the file's line in place of a flag that nobody typed. */
export function locateProblem({ config, isFromFile, options }: MergedOptions, problem: Problem): Problem {
  const [, flag = '', rest = ''] = /^--([\w-]+)(.*)$/s.exec(problem.where) ?? []
  const option = flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof RunOptions
  if (!config || !Object.hasOwn(options, option) || !isFromFile(option)) return problem
  return { ...problem, where: `${config.where('run', option)}${rest}` }
}

/** The limits of the run and of its methods that the file sets; `entryOf` names a method's entry by its label. */
export function configBudgets(
  config: ConfigFile | undefined,
  labels: readonly string[],
  entryOf: (label: string) => string | undefined,
): Budgets {
  const { limits = {}, methods = {} } = config?.config ?? {}
  const own = labels.map((label) => [label, { ...limits.method, ...methods[entryOf(label) ?? '']?.budget }])
  return { run: { ...limits.run }, methods: Object.fromEntries(own) }
}

/** Who answers in dev mode is simulated, whoever the file names for live mode. */
function configOptions({ config }: ConfigFile, flags: RunOptions): RunOptions {
  const { agents, ...run } = config.run ?? {}
  const mode = flags.dev ? 'dev' : (flags.mode ?? run.mode)
  const { mode: _, ...withoutMode } = run
  const own = {
    ...(flags.dev ? withoutMode : run),
    ...(mode === 'live' && agents !== undefined && { agents }),
  }
  return Object.fromEntries(
    Object.entries(own).map(([option, value]) => [option, toOptionText(option, value)]),
  )
}

/** Options that may be repeated are empty lists where they are not given. */
export const isSet = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
