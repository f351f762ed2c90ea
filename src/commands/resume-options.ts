import type { Problem } from '../errors.ts'
import type { RunOptions } from './run-options.ts'

const fixed = [
  'tasks',
  'methods',
  'agents',
  'agent',
  'mode',
  'dev',
  'profile',
  'prices',
  'epochs',
  'seed',
  'limit',
  'inject',
  'retries',
  'baseline',
  'family',
  'outcome',
  'margin',
  'calibration',
  'stopWhen',
  'out',
  'instruction',
  'workspace',
  'include',
] as const

const onlyWithResume = {
  retryErrors: '--retry-errors',
  takeOver: '--take-over',
  repair: '--repair',
  trustCode: '--trust-code',
} as const

/** Problems of options that only a run that has begun can be asked for. */
export function withoutResume(options: RunOptions): Problem[] {
  if (options.resume !== undefined) return []
  return Object.entries(onlyWithResume).flatMap(([name, flag]) =>
    options[name as keyof typeof onlyWithResume]
      ? [{ where: flag, what: 'needs --resume', fix: `Name the run: --resume RUN ${flag}.` }]
      : [],
  )
}

/** Problems of settings that a run was begun with: they cannot be given again. */
export function resumeProblems(options: RunOptions): Problem[] {
  return fixed
    .filter((name) => {
      const given: unknown = options[name]
      // Options that may be repeated are empty lists where they are not given.
      return Array.isArray(given) ? given.length > 0 : given !== undefined
    })
    .map((name) => ({
      where: `--${name}`,
      what: 'does not go with --resume',
      fix: 'A run goes on as it was begun; begin another one for other settings.',
    }))
}
