import { Limits } from '../../schema/limits.ts'
import type { Config } from '../../schema/run/config.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { parseDecimal } from '../values/parse-values.ts'

/** Limits of each trial from the command line. Null is `none`, and lifts a limit of the config file or a default. */
type TypedLimits = { [Unit in keyof Limits]?: Limits[Unit] | null }

const units = Object.keys(Limits.shape) as (keyof Limits)[]

/** Parses the limits of each trial: `calls=20,tokens=100000`, or `calls=none`. */
export function parseLimits(problems: Problem[], text: string | undefined): TypedLimits {
  const limits: TypedLimits = {}
  for (const pair of text?.split(',') ?? []) {
    const [key = '', value = '', ...more] = pair.split('=').map((part) => part.trim())
    const unit = units.find((known) => known === key)
    const amount = more.length > 0 ? Number.NaN : value === 'none' ? null : parseDecimal(value)
    const isTwice = unit !== undefined && Object.hasOwn(limits, unit)
    if (unit && !isTwice && (amount === null || Limits.shape[unit].safeParse(amount).success)) {
      limits[unit] = amount
      continue
    }
    const kind = key === 'costUsd' || key === 'timeMs' ? 'number' : 'whole number'
    const wrong = unit ? `"${key}" is not a ${kind} above 0` : `there is no limit "${key}"`
    problems.push({
      where: `--limit ${text}`,
      what: isTwice ? `gives "${key}" twice` : wrong,
      fix: isTwice
        ? 'Give each limit once.'
        : withNear(
            unit ? '' : key,
            units,
            `Known: ${units.join(', ')}; each takes a number above 0, or none.`,
          ),
    })
  }
  return limits
}

/** Default limit of calls in live mode: it stops a method that never ends. Built-in methods make less than a tenth of these calls. */
export const usualCalls = 500

/**
 * Returns the limits of each trial. Command line options override the config file. In live mode the calls have a default
 * limit, which a task's own limit overrides.
 */
export function trialLimits(
  mode: RunManifest['mode'],
  file: NonNullable<Config['limits']>['trial'] = {},
  typed: TypedLimits,
): Pick<RunManifest, 'limits' | 'usualLimits'> {
  const given: Record<string, number | string | null | undefined> = { ...file, ...typed }
  const limits: Limits = Object.fromEntries(
    Object.entries(given).filter(([, value]) => typeof value === 'number'),
  )
  if (mode === 'dev' || given.calls !== undefined) return { limits }
  return { limits: { ...limits, calls: usualCalls }, usualLimits: ['calls'] }
}

/** Describes the default limit; empty if the run has none. */
export function usualLimitText({ limits, usualLimits }: Pick<RunManifest, 'limits' | 'usualLimits'>): string {
  return usualLimits
    ? `at most ${limits.calls} calls per trial (change with --limit calls=N or calls=none)`
    : ''
}
