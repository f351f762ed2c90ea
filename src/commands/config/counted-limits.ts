import type { Budget, Budgets } from '../../schema/limits.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { MergedOptions } from './merge-options.ts'

/** A limit in dollars or tokens, and the place that sets it. */
export interface CountedLimit {
  where: string
  unit: 'costUsd' | 'tokens'
  /** The method whose calls it counts; absent: those of all methods. */
  method?: string
}

const units = ['costUsd', 'tokens'] as const
const runFlags = { costUsd: '--max-cost', tokens: '--max-tokens' } as const

/** The limits of a run. */
type LimitedRun = Pick<RunManifest, 'limits' | 'askLimits' | 'methods'> & { budgets: Budgets }

/** Returns the limits in dollars and tokens of a run, of its methods, and of each of its trials and asks. */
export function countedLimits(
  { budgets, limits, askLimits = {}, methods }: LimitedRun,
  { options, config }: Pick<MergedOptions, 'options' | 'config'>,
): CountedLimit[] {
  const given = { costUsd: options.maxCost, tokens: options.maxTokens }
  const inFile = (...path: string[]) => config?.where('limits', ...path) ?? path.join(' ')
  const typedOr = (flag: string, typed: string | undefined, place: string, unit: string) =>
    typed?.includes(unit) ? `${flag} ${typed}` : inFile(place, unit)
  return units.flatMap((unit) => [
    ...has(budgets.run, unit, () => {
      const typed = given[unit]
      return { where: typed === undefined ? inFile('run', unit) : `${runFlags[unit]} ${typed}` }
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
  ])
}

function has(
  limits: Budget,
  unit: CountedLimit['unit'],
  limit: () => Omit<CountedLimit, 'unit'>,
): CountedLimit[] {
  return limits[unit] === undefined ? [] : [{ ...limit(), unit }]
}
