import type { Limits } from '../../schema/limits.ts'
import type { Config } from '../../schema/run/config.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { TypedLimits } from '../config/run-options.ts'

/** A trial that asks for ever would spend for ever. No built-in method makes a tenth of these calls. */
const usualCalls = 500

/**
 * The limits of each trial: what was typed over what the file says. In live mode a trial has a limit of calls where nobody says
 * otherwise; a task's own wins over that one.
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

/** What the plan says of a limit that nobody set; empty where there is none. */
export function usualLimitText({ limits, usualLimits }: Pick<RunManifest, 'limits' | 'usualLimits'>): string {
  return usualLimits ? `at most ${limits.calls} calls a trial (--limit calls=N, or calls=none)` : ''
}
