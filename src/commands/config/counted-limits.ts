import type { Budget, Budgets } from '../../schema/limits.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { runLimitFlag } from './budget-options.ts'
import type { MergedOptions } from './merge-options.ts'

/** A limit in dollars or tokens, and the place that sets it. */
export interface CountedLimit {
  where: string
  unit: 'costUsd' | 'tokens'
  /** The method whose calls it counts; absent: those of all methods. */
  method?: string
  /** It counts the calls of judges, too. */
  countsJudges?: true
}

const units = ['costUsd', 'tokens'] as const

type LimitedRun = Pick<RunManifest, 'limits' | 'askLimits' | 'methods'> & {
  budgets: Budgets
  tasks: readonly LimitedTask[]
}

type LimitedTask = Pick<Task, 'ref'> & { spec: Pick<Task['spec'], 'limits'> }

/** Returns the limits in dollars and tokens of a run, of its methods, of each of its trials and asks, and of its tasks. */
export function countedLimits(
  { budgets, limits, askLimits = {}, methods, tasks }: LimitedRun,
  { options, config }: Pick<MergedOptions, 'options' | 'config'>,
): CountedLimit[] {
  const given = { costUsd: options.maxCost, tokens: options.maxTokens }
  const inFile = (...path: string[]) => config?.where('limits', ...path) ?? path.join(' ')
  const typedOr = (flag: string, typed: string | undefined, place: string, unit: string) =>
    typed?.includes(unit) ? `${flag} ${typed}` : inFile(place, unit)
  return units.flatMap((unit) => [
    ...has(budgets.run, unit, () => {
      const typed = given[unit]
      const where = typed === undefined ? inFile('run', unit) : `${runLimitFlag(unit)} ${typed}`
      return { where, countsJudges: true as const }
    }),
    ...Object.entries(budgets.methods).flatMap(([method, budget]) =>
      has(budget, unit, () => ({
        method,
        where: typedOr('--method-limit', options.methodLimit, 'method', unit),
      })),
    ),
    ...has(limits, unit, () => ({ where: typedOr('--limit', options.limit, 'trial', unit) })),
    ...methods.flatMap((method) =>
      has(method.limits ?? {}, unit, () => ({
        method: method.label,
        where: config?.where('methods', method.label, 'limits', unit) ?? `limits of ${method.label}`,
      })),
    ),
    ...has(askLimits, unit, () => ({ where: inFile('ask', unit) })),
    ...taskLimits(unit, tasks, methods, limits),
  ])
}

/** Most tasks that a message names. */
const maxNamed = 3

/** Returns the limits of tasks for the methods whose trials have them: a limit of all trials, or of the method, replaces that of a task. */
function taskLimits(
  unit: CountedLimit['unit'],
  tasks: readonly LimitedTask[],
  methods: LimitedRun['methods'],
  limits: LimitedRun['limits'],
): CountedLimit[] {
  const limited = tasks.filter(({ spec }) => spec.limits[unit] !== undefined).map(({ ref }) => ref)
  if (limited.length === 0 || limits[unit] !== undefined) return []
  const more = limited.length > maxNamed ? ` and ${limited.length - maxNamed} more` : ''
  const where = `task.yaml limits.${unit} of ${limited.slice(0, maxNamed).join(', ')}${more}`
  const bound = methods.filter((method) => method.limits?.[unit] === undefined)
  if (bound.length === methods.length) return [{ where, unit }]
  return bound.map(({ label }) => ({ where, unit, method: label }))
}

function has(
  limits: Budget,
  unit: CountedLimit['unit'],
  limit: () => Omit<CountedLimit, 'unit'>,
): CountedLimit[] {
  return limits[unit] === undefined ? [] : [{ ...limit(), unit }]
}

/** Returns a problem for each limit of the time of asks, trials or methods: recorded replies have none. */
export function timeLimitProblems({
  limits,
  askLimits,
  methods,
  budgets,
}: Omit<LimitedRun, 'tasks'>): Problem[] {
  const timed: [where: string, limits: Budget | undefined][] = [
    ['limits of each trial', limits],
    ['limits of each ask', askLimits],
    ...methods.map(({ label, limits: own }): [string, Budget | undefined] => [`limits of ${label}`, own]),
    ...Object.entries(budgets.methods).map(([label, own]): [string, Budget] => [`limits of ${label}`, own]),
  ]
  return timed
    .filter(([, own]) => own?.timeMs !== undefined)
    .map(([where]) => ({
      where: `timeMs, ${where}`,
      what: 'cannot hold, since the time of recorded replies is unknown',
      fix: 'Remove it, or limit calls, tokens or costUsd instead.',
    }))
}
