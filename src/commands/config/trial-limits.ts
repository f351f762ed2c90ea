import type { Limits } from '../../schema/limits.ts'
import type { Config } from '../../schema/run/config.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { TypedLimits } from './run-options.ts'

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
